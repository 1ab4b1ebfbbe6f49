/** What ripgrep prints, as records: a path, a zero byte, the rest of a line. */
import type { Found } from '../core/search.js';
import { decodeText } from '../core/text-encoding.js';

interface RawRecord {
  readonly path: string;
  readonly rest: Uint8Array;
}

const newline = 10;

/** Said of a file that was named itself and is binary, in a line without a zero byte. */
const binaryNotes = /^(?:.*: binary file matches \(.*\)\n)+/u;

const toPath = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes).replace(binaryNotes, '').replace(/^\.\//u, '');

/** Records with a rest. One that was cut at the end of the output is left out. */
const splitRecords = (output: Uint8Array): readonly RawRecord[] => {
  const records: RawRecord[] = [];
  for (let start = 0; start < output.length; ) {
    const zero = output.indexOf(0, start);
    const end = zero === -1 ? -1 : output.indexOf(newline, zero);
    if (end === -1) break;
    records.push({ path: toPath(output.subarray(start, zero)), rest: output.subarray(zero + 1, end) });
    start = end + 1;
  }
  return records;
};

const lineHead = /^(\d+)(?::(\d+):|-)/u;

const toLine = ({ path, rest }: RawRecord): Found | undefined => {
  // Digits and marks: one byte each in every encoding that comes here.
  const head = lineHead.exec(String.fromCharCode(...rest.subarray(0, 24)));
  if (head === null) return undefined;
  const bytes = rest.subarray(head[0].length);
  const text = (decodeText(bytes)?.text ?? new TextDecoder().decode(bytes)).replace(/\r$/u, '');
  const line = Number(head[1]);
  if (head[2] === undefined) return { kind: 'context', path, line, text };
  return { kind: 'line', path, line, text, column: Number(head[2]) };
};

/** Of `--line-number --column --null`. */
export const readLines = (output: Uint8Array): readonly Found[] =>
  splitRecords(output).flatMap((record) => toLine(record) ?? []);

/** Of `--count --null`. */
export const readCounts = (output: Uint8Array): readonly Found[] =>
  splitRecords(output).flatMap(({ path, rest }) => {
    const count = Number(new TextDecoder().decode(rest));
    return Number.isInteger(count) ? [{ kind: 'count', path, count }] : [];
  });

/** Of `--files --null` and `--files-with-matches --null`: paths, each ended by a zero byte. */
export const readPaths = (output: Uint8Array): readonly Found[] => {
  const found: Found[] = [];
  for (let start = 0; ; ) {
    const zero = output.indexOf(0, start);
    if (zero === -1) return found;
    found.push({ kind: 'file', path: toPath(output.subarray(start, zero)) });
    start = zero + 1;
  }
};
