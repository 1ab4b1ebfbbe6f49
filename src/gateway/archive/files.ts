/** Kept files that a transcript names. Pure. */
import type { StoredMessage } from '../../core/archive.js';

/** As the media store names what it keeps: nobody can guess the 32 digits, so who names a file was told of it. */
const keptName = /[\p{L}\p{N}._-]+_[0-9a-f]{32}(?:\.[a-z0-9]+)?/gu;
const lastSegment = /[^/\\]+$/u;

/** Long results are kept under names that begin with their turn, which says whose they are. */
const textName = /[\w-]+\.txt/gu;

const namedIn = ({ message, turn }: StoredMessage): readonly string[] => [
  ...(message.text.match(keptName) ?? []),
  ...(message.role === 'tool'
    ? (message.text.match(textName) ?? []).filter((name) => name.startsWith(`${turn}-`))
    : []),
  ...(message.role !== 'assistant'
    ? (message.images ?? []).flatMap(({ path }) => lastSegment.exec(path)?.[0] ?? [])
    : []),
];

/** Their last path segments, each once. */
export const filesOf = (messages: readonly StoredMessage[]): readonly string[] => [
  ...new Set(messages.flatMap(namedIn)),
];
