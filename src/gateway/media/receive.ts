/**
 * Files that people attached, from their platform to the cache. Place in the flow: mailbox → (here) → turn.
 *
 * 1. Whatever happens to a file, the agent is told in words and the turn goes on; the person is told what they can mend.
 * 2. Several files at once, but few: a slow one holds up its own session only.
 */
import type { Clock } from '../../core/clock.js';
import { GatewayError, isAbort } from '../../core/errors.js';
import type { InboundMessage } from '../../core/inbound.js';
import type { Logger } from '../../core/logger.js';
import type { MediaStore } from '../../core/media.js';
import type { InboundMediaPart, InboundPart, MediaKind, StoredFile } from '../../core/parts.js';
import type { PlatformAdapter } from '../../core/platform.js';

/**
 * Above what platforms hand out by themselves (20 to 25 MB), so that a server of the operator's own decides; one file
 * must not fill the disk.
 */
const MAX_FILE_BYTES = 256 * 1_048_576;
const MAX_PARALLEL = 4;
const RETRY_DELAYS_MS = [1_000, 4_000] as const;
const MAX_RETRY_DELAY_MS = 30_000;
/** Models refuse larger ones, and a refused picture would spoil every later call of its session. */
const MAX_IMAGE_BYTES = 5 * 1_048_576;
const shownTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

export interface ReceivedPart {
  /** For the agent, in square brackets. */
  readonly note: string;
  readonly image?: StoredFile;
  /** For the person: why the file was not taken, or not understood. */
  readonly problem?: string;
  /** The agent can do something about it all the same. */
  readonly isUseful?: true;
}

export type ReceivedParts = ReadonlyMap<InboundPart, ReceivedPart>;

export interface ReceiveDeps {
  readonly media: Pick<MediaStore, 'keep'>;
  readonly clock: Clock;
  readonly logger: Logger;
  adapterFor(origin: InboundMessage['origin']): PlatformAdapter | undefined;
}

const kindNames: Readonly<Record<MediaKind, string>> = {
  image: 'image',
  video: 'video',
  audio: 'audio file',
  voice: 'voice note',
  file: 'file',
};

const sizeText = (bytes: number): string =>
  bytes < 1_048_576 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`;

const durationText = ({ durationMs }: InboundMediaPart): string =>
  durationMs === undefined ? '' : ` of ${Math.round(durationMs / 1000)} s`;

const toReceived = (part: InboundMediaPart, file: StoredFile): ReceivedPart => {
  const isSeen = part.isSpoken === true && part.kind !== 'voice';
  const what = `${isSeen ? `${part.kind} note` : kindNames[part.kind]}${durationText(part)}`;
  const note = `${what} saved at ${file.path}: ${file.fileName}, ${sizeText(file.sizeBytes)}`;
  if (part.kind === 'voice') return toHeard(part, what, note);
  if (isSeen) return toHeardAndSeen(part, note);
  const isShown = shownTypes.has(file.mimeType) && file.sizeBytes <= MAX_IMAGE_BYTES;
  return { note: `[${note}]`, ...(isShown && { image: file }) };
};

/** What the agent reads of a recording begins like this, where somebody has listened. */
export const heardNote = 'transcribed by a machine, which may mishear';

const toHeard = ({ said, unheard }: InboundMediaPart, what: string, saved: string): ReceivedPart => {
  if (said !== undefined) return { note: `[${what}, ${heardNote}]\n${said}` };
  if (unheard === undefined) return { note: `[${saved}; nothing here recognises speech yet]` };
  const { reason } = unheard;
  if (reason === undefined)
    return {
      note: `[${saved}; nothing is said in it]`,
      problem: 'I could not hear anything in your voice note.',
    };
  return {
    note: `[${saved}; it could not be understood: ${reason}]`,
    problem: `I could not understand your voice note: ${reason}.`,
    isUseful: true,
  };
};

/** Where nothing is said there is still something to see. */
const toHeardAndSeen = ({ said, unheard }: InboundMediaPart, saved: string): ReceivedPart => {
  if (said !== undefined) return { note: `[${saved}; ${heardNote}]\n${said}` };
  if (unheard === undefined) return { note: `[${saved}]` };
  const { reason } = unheard;
  if (reason === undefined) return { note: `[${saved}; nothing is said in it]` };
  return {
    note: `[${saved}; what is said in it could not be understood: ${reason}]`,
    problem: `I could not understand what is said in your video note: ${reason}.`,
    isUseful: true,
  };
};

const toProblem = (part: InboundMediaPart, error: unknown): ReceivedPart => {
  const name = part.fileName ?? part.description;
  const told = error instanceof GatewayError ? (error.userText ?? sentence(error, name)) : undefined;
  return {
    note: `[The sender attached ${part.description}, but it did not arrive here: ${told ?? 'it cannot be fetched'}]`,
    problem: told ?? `I could not fetch ${name}. Please send it again.`,
  };
};

/** Refusals of the media store say what `it` is; others are for the log. */
const sentence = ({ origin, message }: GatewayError, name: string): string | undefined =>
  origin === 'tool' ? `I cannot take ${name}: ${message}.` : undefined;

const fetchPart = async (
  part: InboundMediaPart,
  event: InboundMessage,
  deps: ReceiveDeps,
  signal: AbortSignal,
): Promise<ReceivedPart> => {
  const got = await keepPart(part, event, deps, signal);
  return 'path' in got ? toReceived(part, got) : got;
};

/** The file, kept; or what is to be said of it. Never rejects. */
export const keepPart = async (
  part: InboundMediaPart,
  event: InboundMessage,
  deps: ReceiveDeps,
  signal: AbortSignal,
): Promise<StoredFile | ReceivedPart> => {
  if (part.kept !== undefined) return part.kept;
  const facet = deps.adapterFor(event.origin)?.media;
  if (facet === undefined)
    return { note: `[The sender attached ${part.description}; it cannot be read here.]` };
  for (let attempt = 0; ; attempt += 1) {
    try {
      const bytes = await facet.fetch(part.handle, { signal, maxBytes: MAX_FILE_BYTES });
      const { kind, fileName, mimeType } = part;
      const request = {
        kind,
        maxBytes: MAX_FILE_BYTES,
        ...(fileName !== undefined && { fileName }),
        ...(mimeType !== undefined && { mimeType }),
      };
      return await deps.media.keep(request, bytes, { signal });
    } catch (error) {
      const { correlation } = event;
      if (isAbort(error, signal) || signal.aborted)
        return { note: `[The sender attached ${part.description}; it was not fetched before the stop.]` };
      const delayMs = retryDelay(error, attempt);
      deps.logger.warn({ correlation, error, attempt, delayMs }, 'attached file not fetched');
      if (delayMs === undefined) return toProblem(part, error);
      await deps.clock.sleep(delayMs, { signal }).catch(() => {});
    }
  }
};

const retryDelay = (error: unknown, attempt: number): number | undefined => {
  const delayMs = RETRY_DELAYS_MS[attempt];
  if (delayMs === undefined || !(error instanceof GatewayError) || error.retry.kind === 'never')
    return undefined;
  return error.retry.kind === 'after' ? Math.min(error.retry.delayMs, MAX_RETRY_DELAY_MS) : delayMs;
};

/** Never rejects; an abort gives notes in place of what is not there yet. */
export const receiveParts = async (
  events: readonly InboundMessage[],
  deps: ReceiveDeps,
  { signal }: { readonly signal: AbortSignal },
): Promise<ReceivedParts> => {
  const waiting = events.flatMap((event) =>
    event.parts.flatMap((part) => (part.type === 'media' ? [{ event, part }] : [])),
  );
  const received = new Map<InboundPart, ReceivedPart>();
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      received.set(next.part, await fetchPart(next.part, next.event, deps, signal));
  };
  await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL, waiting.length) }, work));
  return received;
};

const isUseless = ({ problem, isUseful }: ReceivedPart): boolean =>
  problem !== undefined && isUseful !== true;

/** True for a message that is nothing but files that did not arrive or say nothing: there is nothing to ask the agent. */
export const isLost = ({ parts }: InboundMessage, received: ReceivedParts): boolean =>
  parts.length > 0 &&
  parts.every((part) => {
    if (part.type !== 'media' || (part.caption ?? '').trim() !== '') return false;
    const got = received.get(part);
    return got !== undefined && isUseless(got);
  });
