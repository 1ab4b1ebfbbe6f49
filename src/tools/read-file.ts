import * as z from 'zod';
import { ToolError } from '../core/errors.js';
import { sniffImage } from '../core/sniff-image.js';
import { decodeText } from '../core/text-encoding.js';
import type { Tool, ToolContext, ToolOutcome } from '../core/tool.js';

const maxLines = 2000;
const maxLineLength = 2000;
const maxLength = 100_000;
/** Read at most; the part that is shown is far smaller, but may lie far behind. */
const maxBytes = 16 * 1024 * 1024;
const maxSuggestions = 20;
/** The smallest limit of the usual model services. */
const maxPictureBytes = 5 * 1024 * 1024;

const input = z.object({
  path: z.string().min(1).describe('Path inside the workspace, relative or absolute.'),
  offset: z.number().int().min(1).optional().describe('First line to read, counted from 1. Default 1.'),
  limit: z
    .number()
    .int()
    .min(1)
    .max(maxLines)
    .optional()
    .describe(`Lines to read. Default and most: ${maxLines}.`),
});

type ReadFileInput = z.infer<typeof input>;

export const readFile: Tool<ReadFileInput> = {
  name: 'read_file',
  title: 'Read file',
  description:
    'Reads a text file of the workspace, or shows a picture of it. Returns lines with line numbers (number, tab, line); the last line says ' +
    `whether there is more and how to get it. At most ${maxLines} lines and ${maxLength} characters at once; longer lines ` +
    `than ${maxLineLength} characters are cut. Other binary files cannot be read.`,
  category: 'read',
  input,
  mode: 'parallel',
  summarise: ({ path }) => path,
  async execute({ path, offset = 1, limit = maxLines }, context) {
    const { bytes, sizeBytes } = await read(path, context);
    if (bytes.length === 0) return ok('(The file is empty.)');
    const picture = sniffImage(bytes);
    if (picture !== undefined) return showPicture(path, { bytes, sizeBytes, type: picture }, context);
    const decoded = decodeText(bytes);
    if (decoded === undefined)
      return failed(
        `${path} is a binary file (${sizeBytes} bytes), which cannot be read as text. MEDIA: with its absolute path sends it to the user.`,
      );
    const lines = toLines(decoded.text, offset, limit);
    if (offset > lines.total)
      return failed(`${path} has only ${lines.total} lines: give an offset up to ${lines.total}.`);
    const shown = show(lines, { offset, isWhole: bytes.length >= sizeBytes });
    return ok(decoded.encoding === 'gb18030' ? `${shown}\n(Read as GB18030: it is no UTF-8.)` : shown);
  },
};

const ok = (text: string): ToolOutcome => ({ text, isError: false });
const failed = (text: string): ToolOutcome => ({ text, isError: true });

interface FoundPicture {
  readonly bytes: Uint8Array;
  readonly sizeBytes: number;
  readonly type: string;
}

/** Kept as it is now: the conversation is of what was seen, whatever becomes of the file. */
const showPicture = async (
  path: string,
  { bytes, sizeBytes, type }: FoundPicture,
  { services, signal }: ToolContext,
): Promise<ToolOutcome> => {
  if (sizeBytes > maxPictureBytes)
    return failed(`${path} is a picture of ${sizeBytes} bytes; models take at most ${maxPictureBytes}.`);
  const fileName = path.split('/').at(-1) ?? path;
  const image = await services.pictures.keep({ bytes, fileName }, { signal });
  return { text: `${path} is a picture (${type}, ${sizeBytes} bytes).`, isError: false, images: [image] };
};

/** Names what is there if the file is not, or what is in it if it is a folder. */
const read = async (path: string, { services, session }: ToolContext) => {
  try {
    const read = await services.files.read(path, { maxBytes });
    services.edits.noteRead(session, read.stamp);
    return read;
  } catch (error) {
    if (!(error instanceof ToolError) || error.code === 'not-allowed') throw error;
    const isMissing = error.code === 'not-found';
    const names = await namesIn(isMissing ? folderOf(path) : path, services.files);
    if (names.length === 0) throw error;
    const message = `${error.message} In ${isMissing ? 'that folder' : 'it'}: ${names.join(', ')}`;
    throw new ToolError({ code: error.code, message, retry: error.retry });
  }
};

const folderOf = (path: string): string => {
  const folder = /^(.*)\/[^/]*$/su.exec(path)?.[1] ?? '.';
  return folder === '' ? '/' : folder;
};

const namesIn = async (
  folder: string,
  files: ToolContext['services']['files'],
): Promise<readonly string[]> => {
  try {
    const names = await files.list(folder);
    const more = names.length > maxSuggestions ? ['…'] : [];
    return [...names.slice(0, maxSuggestions), ...more];
  } catch {
    // The suggestion is a courtesy; the error that led to it is what counts.
    return [];
  }
};

interface Lines {
  /** Those of the window. */
  readonly shown: readonly string[];
  readonly total: number;
}

/**
 * The window's lines, and how many there are: a big file is scanned, not cut up, since it may have millions of them.
 * A line break at the end does not begin another line.
 */
const toLines = (text: string, offset: number, limit: number): Lines => {
  const shown: string[] = [];
  let total = 0;
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    total += 1;
    if (total >= offset && shown.length < limit) shown.push(text.slice(start, end).replace(/\r$/u, ''));
    start = end + 1;
  }
  return { shown, total };
};

interface Window {
  readonly offset: number;
  /** False: the file goes on behind the last line. */
  readonly isWhole: boolean;
}

const show = (lines: Lines, { offset, isWhole }: Window): string => {
  const shown: string[] = [];
  let length = 0;
  for (const [index, line] of lines.shown.entries()) {
    const numbered = `${offset + index}\t${cutLine(line)}`;
    length += numbered.length + 1;
    if (length > maxLength && shown.length > 0) break;
    shown.push(numbered);
  }
  const next = offset + shown.length;
  const rest = lines.total - next + 1;
  if (rest > 0) shown.push(`(${rest} more lines${isWhole ? '' : ' and beyond'}; go on with offset ${next})`);
  else if (!isWhole)
    shown.push(
      `(The file is longer; only its first ${maxBytes} bytes can be read. A search finds lines behind them.)`,
    );
  return shown.join('\n');
};

const cutLine = (line: string): string => {
  if (line.length <= maxLineLength) return line;
  // Not in the middle of a character.
  const end = /[\uD800-\uDBFF]/u.test(line.charAt(maxLineLength - 1)) ? maxLineLength - 1 : maxLineLength;
  return `${line.slice(0, end)} [… ${line.length - end} characters left out]`;
};
