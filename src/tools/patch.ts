import * as z from 'zod';
import { never, ToolError } from '../core/errors.js';
import type { FileStamp } from '../core/file-edits.js';
import { diffTexts, type TextDiff } from '../core/line-diff.js';
import { fromShapedText, type ShapedText, toShapedText, usualShape } from '../core/text-shape.js';
import type { Tool, ToolContext, ToolOutcome } from '../core/tool.js';
import { applyHunks } from './patch/apply-hunks.js';
import { type FilePatch, parsePatch } from './patch/parse-patch.js';
import { replaceText } from './patch/replace-text.js';

const maxLength = 1_000_000;
/** Of a diff in the result; the model knows what it asked for. */
const maxDiffLength = 8_000;

const fields = z.object({
  mode: z
    .enum(['replace', 'patch'])
    .optional()
    .describe("'replace': old_string for new_string in one file. 'patch': a diff over one or several files."),
  path: z
    .string()
    .min(1)
    .optional()
    .describe('replace: the file inside the workspace, relative or absolute.'),
  old_string: z
    .string()
    .max(maxLength)
    .optional()
    .describe('replace: the text that is there now, with enough lines around it to be the only such place.'),
  new_string: z
    .string()
    .max(maxLength)
    .optional()
    .describe('replace: what is to be there instead; an empty text removes it.'),
  replace_all: z
    .boolean()
    .optional()
    .describe('replace: every place instead of the only one. Default false.'),
  patch: z
    .string()
    .max(maxLength)
    .optional()
    .describe(
      "patch: a unified diff, or '*** Begin Patch' with '*** Update File: ', '*** Add File: ', '*** Delete File: ' and hunks that begin with '@@'.",
    ),
});

const isPatch = ({ mode, patch: text }: z.infer<typeof fields>): boolean =>
  mode === 'patch' || (mode === undefined && text !== undefined);

/** What the mode needs, told like every other wrong argument. */
const problemWith = (given: z.infer<typeof fields>): string | undefined => {
  if (isPatch(given)) return given.patch === undefined ? "mode patch needs 'patch', a diff" : undefined;
  if (given.path === undefined) return "mode replace needs 'path'";
  if (given.old_string === undefined || given.old_string === '')
    return "mode replace needs 'old_string', the text that is there now; to make a new file, write it whole";
  if (given.new_string === undefined) return "mode replace needs 'new_string'";
  return given.old_string === given.new_string ? 'old_string and new_string are the same' : undefined;
};

const input = fields.superRefine((given, check) => {
  const message = problemWith(given);
  if (message !== undefined) check.addIssue({ code: 'custom', message });
});

type PatchInput = z.infer<typeof fields>;

export const patch: Tool<PatchInput> = {
  name: 'patch',
  title: 'Change files',
  description:
    'Changes parts of text files of the workspace. Mode replace: one text for another, which has to be there exactly once ' +
    '(or replace_all). Mode patch: a diff that changes, adds, deletes or moves files; all of it is checked before anything ' +
    'is written. Small slips in spaces, indentation and quotation marks are forgiven. Encodings and line ends stay. It is ' +
    'refused if a file was changed since you read it. Returns the diff of what was done.',
  category: 'write',
  input,
  mode: 'exclusive',
  summarise: (given) => pathsOf(given).join(', '),
  forbids: (given, { services }) =>
    pathsOf(given)
      .map((path) => services.floor.path(services.edits.locate(path), 'write'))
      .find((problem) => problem !== undefined),
  grantOf: (given, { services }) => {
    const folders = [...new Set(pathsOf(given).map((path) => folderOf(services.edits.locate(path))))].sort();
    return folders.length === 0
      ? undefined
      : { keys: folders, label: `files changed in ${folders.join(', ')}` };
  },
  riskOf: (given) => {
    const gone = filesOf(given).filter(({ kind }) => kind === 'delete');
    return gone.length === 0 ? undefined : `It deletes ${gone.map(({ path }) => path).join(', ')}.`;
  },
  async present(given, context) {
    const changes = await plan(given, context);
    for (const { stamp } of changes) context.services.edits.noteShown(context, stamp);
    return changes.map(({ title, diff }) => `${title}\n${diff.text}`).join('\n\n');
  },
  async execute(given, context) {
    const changes = await plan(given, context);
    const done: string[] = [];
    for (const change of changes) {
      try {
        if (change.bytes === undefined) await context.services.edits.remove(change.stamp, context);
        else await context.services.edits.write(change.stamp, change.bytes, context);
      } catch (error) {
        if (!(error instanceof ToolError) || done.length === 0) throw error;
        return { text: `${error.message}\nDone before that:\n${done.join('\n')}`, isError: true };
      }
      done.push(change.title);
    }
    return ok(changes);
  },
};

const ok = (changes: readonly Change[]): ToolOutcome => {
  const text = changes
    .map(({ title, diff }) => (diff.text === '' ? title : `${title}\n${diff.text}`))
    .join('\n');
  const shown = text.length > maxDiffLength ? `${text.slice(0, maxDiffLength)}\n[… diff cut]` : text;
  const slips = changes.some(({ isExact }) => !isExact)
    ? '\n(Not all quoted lines were exact; see whether it is what you meant.)'
    : '';
  return { text: `${shown}${slips}`, isError: false };
};

const refuse = (message: string): ToolError =>
  new ToolError({ code: 'invalid-input', message, retry: never });

const folderOf = (path: string): string => path.replace(/\/[^/]*$/u, '') || '/';

/** Empty for what cannot be parsed, which is told when it is planned. */
const filesOf = (given: PatchInput): readonly FilePatch[] => {
  if (!isPatch(given)) return [];
  const parsed = parsePatch(given.patch ?? '');
  return parsed.ok ? parsed.files : [];
};

const pathsOf = (given: PatchInput): readonly string[] => {
  if (!isPatch(given)) return given.path === undefined ? [] : [given.path];
  return filesOf(given).flatMap((file) =>
    file.kind === 'update' && file.moveTo !== undefined ? [file.path, file.moveTo] : [file.path],
  );
};

interface Change {
  /** What happens to which file, in a line. */
  readonly title: string;
  readonly stamp: FileStamp;
  /** Absent: the file goes. */
  readonly bytes?: Uint8Array;
  readonly diff: TextDiff;
  readonly isExact: boolean;
}

/** What becomes of which files, without an effect. Rejects with a ToolError if any of it is not possible. */
const plan = async (given: PatchInput, context: ToolContext): Promise<readonly Change[]> => {
  if (!isPatch(given)) return [await planReplacement(given, context)];
  const parsed = parsePatch(given.patch ?? '');
  if (!parsed.ok) throw refuse(`${parsed.problem} Nothing was changed.`);
  const paths = pathsOf(given).map((path) => context.services.edits.locate(path));
  if (new Set(paths).size < paths.length)
    throw refuse('The patch names a file twice. Put all hunks of a file into one part. Nothing was changed.');
  const changes: Change[] = [];
  for (const file of parsed.files) changes.push(...(await planFile(file, context)));
  return changes;
};

const planReplacement = async (given: PatchInput, context: ToolContext): Promise<Change> => {
  const { path = '', old_string: wanted = '', new_string: added = '' } = given;
  const { stamp, old } = await loadText(path, context);
  const sides = { wanted: toLineEnds(wanted, old), added: toLineEnds(added, old) };
  const replaced = replaceText(old.text, { ...sides, isEverywhere: given.replace_all === true });
  if (!replaced.ok) throw refuse(`${path}: ${replaced.problem} Nothing was changed.`);
  const times = replaced.count > 1 ? ` (${replaced.count} places)` : '';
  const title = `Changed ${path}${times}`;
  return toChange({ title, path, stamp, old, text: replaced.text, isExact: replaced.isExact });
};

const toLineEnds = (text: string, { shape }: ShapedText): string =>
  shape.lineEnd === 'crlf' ? text.replaceAll('\r\n', '\n') : text;

const planFile = async (file: FilePatch, context: ToolContext): Promise<readonly Change[]> => {
  if (file.kind === 'add')
    return [await planNew(file.path, { text: file.content, shape: usualShape }, context)];
  const { stamp, old } = await loadText(file.path, context);
  const gone: Change = {
    title: `Deleted ${file.path}`,
    stamp,
    diff: diffTexts(old.text, ''),
    isExact: true,
  };
  if (file.kind === 'delete') return [gone];
  const applied = applyHunks(old.text, file.hunks);
  if (!applied.ok) throw refuse(`${file.path}: ${applied.problem} Nothing of the patch was done.`);
  const { text, isExact } = applied;
  if (file.moveTo === undefined)
    return [toChange({ title: `Changed ${file.path}`, path: file.path, stamp, old, text, isExact })];
  const made = await planNew(file.moveTo, { text, shape: old.shape }, context);
  const diff = diffTexts(old.text, text);
  const none = diffTexts('', '');
  return [
    { ...made, title: `Moved ${file.path} to ${file.moveTo}`, diff, isExact },
    { ...gone, diff: none },
  ];
};

const planNew = async (path: string, made: ShapedText, context: ToolContext): Promise<Change> => {
  const { bytes, ...stamp } = await context.services.edits.load(path, context);
  if (bytes !== undefined)
    throw refuse(
      `${path} is there already, so it cannot be added; update it instead. Nothing of the patch was done.`,
    );
  const old = { text: '', shape: made.shape };
  return toChange({ title: `Made ${path}`, path, stamp, old, text: made.text, isExact: true });
};

const loadText = async (path: string, context: ToolContext) => {
  const { bytes, ...stamp } = await context.services.edits.load(path, context);
  if (bytes === undefined) throw refuse(`There is no file ${path}. Nothing was changed.`);
  const old = toShapedText(bytes);
  if (old === undefined)
    throw refuse(`${path} is a binary file, or of an encoding that is not known. Nothing was changed.`);
  return { stamp, old };
};

interface Drafted extends Pick<Change, 'title' | 'stamp' | 'isExact'> {
  readonly path: string;
  readonly old: ShapedText;
  readonly text: string;
}

const toChange = ({ title, path, stamp, old, text, isExact }: Drafted): Change => {
  const encoded = fromShapedText({ text, shape: old.shape });
  if (!encoded.ok)
    throw refuse(
      `${path} is written in ${old.shape.encoding}, which has no '${encoded.character}'. Do without it. Nothing was changed.`,
    );
  return { title, stamp, bytes: encoded.bytes, diff: diffTexts(old.text, text), isExact };
};
