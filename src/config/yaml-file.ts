/**
 * config.yaml as a plain tree. Apart from YAML's own rules:
 * 1. An unquoted number where an id, a list of ids or a secret belongs is the text as written, so that ids need no quotes.
 * 2. One beyond 2^53 is refused all the same: other programs that read the file would not keep it exactly.
 * 3. A key without a value, or with an empty text, is a key that is not there.
 */
import { type Document, isMap, isPair, isScalar, isSeq, parseDocument, visit } from 'yaml';
import type { SettingsProblem } from '../core/errors.js';
import { isSecretName } from './secret-names.js';
import { formatPath, isTree, type Tree } from './tree.js';

interface YamlFile {
  readonly tree: Tree;
  readonly problems: readonly SettingsProblem[];
}

const advices: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'Indent with spaces.',
  DUPLICATE_KEY: 'Remove one of the two.',
  BLOCK_AS_IMPLICIT_KEY: 'Put a value that contains ": " in quotes.',
  BAD_SCALAR_START: 'Put the value in quotes.',
  MISSING_CHAR: 'Close the quote or bracket.',
  BAD_INDENT: 'Begin the keys of one section in the same column, and close every bracket.',
  MULTIPLE_DOCS: 'Remove the line --- and keep one document.',
};

/** A line of the file as it may be shown: values of secret keys and whatever looks like a token are left out. */
const showLine = (line: string): string => {
  const shown = line
    .replace(/((?:token|secret|api_?key|password)["']?\s*[:=]\s*)\S.*$/iu, '$1***')
    .replace(/[\w:.-]{24,}/gu, (run) => (/\d/u.test(run) ? '***' : run))
    .replaceAll('\t', '→');
  return shown.length > 80 ? `${shown.slice(0, 79)}…` : shown;
};

const placeOf = (text: string, offset: number) => {
  const before = text.slice(0, offset).split('\n');
  const line = before.length;
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { path: `config.yaml line ${line}, column ${column}`, line: text.split(/\r?\n/u)[line - 1] ?? '' };
};

const syntaxProblems = (document: Document.Parsed, text: string): readonly SettingsProblem[] =>
  [...document.errors, ...document.warnings].map(({ code, message, pos }) => {
    const { path, line } = placeOf(text, pos[0]);
    const reason = code === 'MULTIPLE_DOCS' ? 'There are two documents in the file' : message;
    return {
      path,
      expected: `valid YAML (${reason})`,
      got: line.trim() === '' ? 'the end of the file or an empty line' : `\`${showLine(line)}\``,
      advice: advices[code] ?? 'Correct this line.',
    };
  });

const isIdKey = (key: unknown): boolean =>
  typeof key === 'string' && (/^(?:allowed_\w+|owners|home_channel)$/u.test(key) || isSecretName(key));

/** Path of a node, from the chain of nodes that lead to it. */
const pathOf = (ancestors: readonly unknown[], key: unknown): readonly PropertyKey[] => {
  const chain = [...ancestors];
  const path: PropertyKey[] = [];
  for (const [index, node] of chain.entries()) {
    if (isPair(node) && isScalar(node.key)) path.push(String(node.key.value));
    const child = chain[index + 1];
    if (isSeq(node)) path.push(child === undefined ? Number(key) : node.items.indexOf(child));
  }
  return path;
};

const keepIds = (document: Document.Parsed): readonly SettingsProblem[] => {
  const problems: SettingsProblem[] = [];
  visit(document, {
    Scalar(key, node, ancestors) {
      const { value, source } = node;
      if (key === 'key' || typeof value !== 'number' || source === undefined) return;
      const path = pathOf(ancestors, key);
      const isWhole = /^[-+]?\d+$/u.test(source);
      if (isWhole && !Number.isSafeInteger(value)) {
        const expected = 'a number below 2^53, or an id in quotes';
        problems.push({
          path: formatPath(path),
          expected,
          got: source,
          advice: `Write "${source}" in quotes.`,
        });
        node.value = source;
      } else if (isWhole && isIdKey(path.findLast((part) => typeof part === 'string'))) node.value = source;
    },
  });
  return problems;
};

const withoutBlanks = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutBlanks);
  if (!isTree(value)) return value;
  const entries = Object.entries(value).filter(
    ([, inner]) => inner !== null && inner !== undefined && inner !== '',
  );
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutBlanks(inner)]));
};

const fileProblem = (expected: string, got: string, advice: string): YamlFile => ({
  tree: {},
  problems: [{ path: 'config.yaml', expected, got, advice }],
});

/** Never throws. After a syntax error the tree is empty: half a file would only cause further complaints. */
export const parseYamlFile = (text: string): YamlFile => {
  const document = parseDocument(text, { prettyErrors: false, merge: true });
  const problems = syntaxProblems(document, text);
  if (problems.length > 0) return { tree: {}, problems };
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return { tree: {}, problems };
  if (!isMap(contents))
    return fileProblem('keys with values', 'something else', 'Begin with a line like `model:`.');
  const idProblems = keepIds(document);
  try {
    const tree = withoutBlanks(document.toJS());
    return { tree: isTree(tree) ? tree : {}, problems: idProblems };
  } catch (error) {
    // An alias without its anchor, or too many of them.
    return fileProblem('valid YAML', String(error), 'Write the value itself instead of a *name.');
  }
};
