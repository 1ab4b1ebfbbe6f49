import * as z from 'zod';
import { never, ToolError } from '../core/errors.js';
import { diffTexts } from '../core/line-diff.js';
import { fromShapedText, type ShapedText, toShapedText, usualShape } from '../core/text-shape.js';
import type { Tool, ToolContext, ToolOutcome } from '../core/tool.js';

const maxLength = 4_000_000;

const input = z.object({
  path: z
    .string()
    .min(1)
    .describe('Path of the file inside the workspace, relative or absolute. Missing folders are made.'),
  content: z
    .string()
    .max(maxLength)
    .describe('The whole new content. What is not in it is gone; an empty text empties the file.'),
  encoding: z
    .enum(['utf-8', 'utf-16le', 'utf-16be', 'gb18030'])
    .optional()
    .describe('Default: the encoding that the file has, UTF-8 for a new one.'),
});

type WriteFileInput = z.infer<typeof input>;

export const writeFile: Tool<WriteFileInput> = {
  name: 'write_file',
  title: 'Write file',
  description:
    'Writes a whole text file of the workspace, new or over the old one, at once or not at all. Keeps the encoding and the line ' +
    'ends that the file has. Use patch to change parts of a file. It is refused if the file was changed since you ' +
    'read it: read it again then. Returns how many lines were added and removed.',
  category: 'write',
  input,
  mode: 'exclusive',
  summarise: ({ path }) => path,
  forbids: ({ path }, { services }) => services.floor.path(services.edits.locate(path), 'write'),
  grantOf: ({ path }, { services }) => {
    const folder = folderOf(services.edits.locate(path));
    return { keys: [folder], label: `files written in ${folder}` };
  },
  async present(given, context) {
    const change = await plan(given, context);
    context.services.edits.noteShown(context, change.stamp);
    return `${given.path} (${change.isNew ? 'new file' : 'changed'})\n${change.diff.text}`;
  },
  async execute(given, context) {
    const { stamp, bytes, isNew, isSame, diff, shape } = await plan(given, context);
    if (isSame) return ok(`${given.path} has this content already; nothing was written.`);
    await context.services.edits.write(stamp, bytes, context);
    const counts = isNew ? `${diff.added} lines` : `${diff.added} lines added, ${diff.removed} removed`;
    const kept = [
      ...(shape.encoding === 'utf-8' ? [] : [`encoding ${shape.encoding}`]),
      ...(shape.lineEnd === 'lf' ? [] : ['CRLF line ends']),
    ];
    const remark = kept.length === 0 ? '' : ` (${kept.join(', ')})`;
    return ok(`${isNew ? 'Made' : 'Wrote'} ${given.path}: ${counts}, ${bytes.length} bytes${remark}.`);
  },
};

const ok = (text: string): ToolOutcome => ({ text, isError: false });

const refuse = (message: string): ToolError =>
  new ToolError({ code: 'invalid-input', message, retry: never });

const folderOf = (path: string): string => path.replace(/\/[^/]*$/u, '') || '/';

/** What would become of the file. Rejects with a ToolError. */
const plan = async ({ path, content, encoding }: WriteFileInput, context: ToolContext) => {
  const { bytes: before, ...stamp } = await context.services.edits.load(path, context);
  const old = readOld(path, before);
  const shape = encoding === undefined ? old.shape : { ...old.shape, encoding };
  const text = shape.lineEnd === 'crlf' ? content.replaceAll('\r\n', '\n') : content;
  const encoded = fromShapedText({ text, shape });
  if (!encoded.ok)
    throw refuse(
      `${path} is written in ${shape.encoding}, which has no '${encoded.character}'; nothing was written. Do without it, or give encoding 'utf-8'.`,
    );
  const isSame =
    before !== undefined &&
    before.length === encoded.bytes.length &&
    before.every((byte, index) => byte === encoded.bytes[index]);
  return {
    stamp,
    bytes: encoded.bytes,
    shape,
    isNew: before === undefined,
    isSame,
    diff: diffTexts(old.text, text),
  };
};

const readOld = (path: string, before: Uint8Array | undefined): ShapedText => {
  if (before === undefined || before.length === 0) return { text: '', shape: usualShape };
  const old = toShapedText(before);
  if (old !== undefined) return old;
  throw refuse(
    `${path} is a binary file, or of an encoding that is not known; nothing was written. Give another path.`,
  );
};
