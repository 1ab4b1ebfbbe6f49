/** Changes config.yaml as its owner would: comments and everything else stay. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type Document, isCollection, isMap, isScalar, parseDocument, YAMLMap } from 'yaml';

/** Lists and maps without padding and long lines whole, as the example file has them. */
const format = { lineWidth: 0, flowCollectionPadding: false } as const;

/** A key without a value becomes a section, with what was remarked there. */
const openSection = (document: Document, path: readonly string[]): void => {
  const node = document.getIn(path, true);
  if (!isScalar(node) || (node.value !== null && node.value !== '')) return;
  const section = new YAMLMap(document.schema);
  const { comment, commentBefore } = node;
  if (commentBefore != null) section.commentBefore = commentBefore;
  if (comment != null) section.comment = comment;
  document.setIn(path, section);
};

/** Opens the sections that lead to a path. Throws an Error where one of them is something else. */
const openSections = (document: Document, path: readonly string[]): void => {
  for (let depth = 0; depth < path.length; depth += 1) {
    const section = path.slice(0, depth);
    if (depth > 0) openSection(document, section);
    const node = depth === 0 ? document.contents : document.getIn(section, true);
    if (node !== null && node !== undefined && !isMap(node))
      throw new Error(`${section.join('.')} is no section of its own in config.yaml`);
  }
};

export interface SettingChange {
  readonly path: readonly string[];
  /** Undefined: the key goes. */
  readonly value: string | undefined;
}

/**
 * The text with some keys set or taken away. Throws an Error where a place is not a plain section; the text has to be valid
 * YAML.
 */
export const withSettings = (text: string, changes: readonly SettingChange[]): string => {
  if (changes.length === 0) return text;
  const document = parseDocument(text, { intAsBigInt: true, merge: true });
  for (const { path, value } of changes) {
    if (value === undefined) {
      if (document.hasIn(path)) document.deleteIn(path);
      continue;
    }
    openSections(document, path);
    const before = document.getIn(path, true);
    // In the same node, so that what was remarked beside it stays.
    if (isScalar(before)) before.value = value;
    else document.setIn(path, value);
  }
  return document.toString(format);
};

/**
 * The text with a list of words at a path, written on one line. Throws an Error where the place is not a plain section,
 * such as one that is an alias of another; the text has to be valid YAML.
 */
export const withList = (text: string, path: readonly string[], words: readonly string[]): string => {
  const document = parseDocument(text, { intAsBigInt: true, merge: true });
  openSections(document, path);
  const list = document.createNode([...words], { flow: true });
  const before = document.getIn(path, true);
  if (isCollection(before) && before.comment != null) list.comment = before.comment;
  document.setIn(path, list);
  return document.toString(format);
};

/**
 * Puts a text in the place of a file at once, so that nobody ever reads half of it. A link goes on leading to it. New files
 * are for this user alone. Throws what the file system throws.
 */
export const replaceFile = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const known = statSync(path, { throwIfNoEntry: false });
  const place = known === undefined ? path : realpathSync(path);
  const draft = `${place}.${process.pid}.new`;
  try {
    const file = openSync(draft, 'wx', known === undefined ? 0o600 : known.mode & 0o777);
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, place);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
};
