/**
 * What is said, as parts: the text without its media tags, and the files these name. The one way from a text of the
 * agent or an operator to files on a platform: answers, the texts of single steps, tools and commands all come here.
 *
 * 1. Nothing is silent: a file that cannot be attached is named to the person, and to whoever wrote the text.
 * 2. A notice gives the file's own name and nothing of where it lies; what was refused is told like what is missing from
 *    a place that is open to nobody.
 */
import { GatewayError } from '../../core/errors.js';
import type { CorrelationId } from '../../core/ids.js';
import type { Logger } from '../../core/logger.js';
import type { MediaStore } from '../../core/media.js';
import type { ContentPart, MediaKind, OutboundMediaPart, StoredFile } from '../../core/parts.js';
import type { VoiceService } from '../../core/voice.js';
import { parseDirectives } from './directives.js';
import type { DirectiveSource } from './scan-line.js';

/** More is no answer to a person any more; platforms take ten at a time. */
const MAX_FILES = 20;
const MAX_NAME_LENGTH = 80;

export interface Attached {
  /** The text first, then its files in their order; empty if there is nothing to say. */
  readonly parts: readonly ContentPart[];
  /** What could not be attached, one sentence each. */
  readonly problems: readonly string[];
}

/** Rejects only with the reason of the gateway's own stop. */
export type Attach = (text: string, cause: { readonly correlation: CorrelationId }) => Promise<Attached>;

interface AttachDeps {
  readonly media: Pick<MediaStore, 'take' | 'fetch' | 'locate' | 'release'>;
  readonly voice: Pick<VoiceService, 'toVoice'>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Drawings and formats that no platform shows as a picture. */
const unshown = new Set(['image/svg+xml', 'image/tiff', 'image/bmp', 'image/avif', 'image/heic']);

const kindOf = (
  { mimeType }: StoredFile,
  { asVoice, asDocument }: { readonly asVoice: boolean; readonly asDocument: boolean },
): MediaKind => {
  const [family] = mimeType.split('/');
  if (family === 'image') return asDocument || unshown.has(mimeType) ? 'file' : 'image';
  if (family === 'audio') return asVoice ? 'voice' : 'audio';
  return family === 'video' ? 'video' : 'file';
};

/** A file as it is shown best. */
export const toMediaPart = (file: StoredFile, wishes = { asVoice: false, asDocument: false }) =>
  ({ type: 'media', kind: kindOf(file, wishes), file }) as const;

const addressOf = (source: DirectiveSource): string => {
  if (source.type === 'path') return source.path;
  return source.type === 'url' ? source.url : source.address;
};

/** The last segment, without what would be taken for markup or a line end. */
const nameOf = (source: DirectiveSource): string => {
  const address = addressOf(source);
  const plain = source.type === 'url' ? (address.split(/[?#]/u)[0] ?? '') : address;
  const name = plain.split(/[/\\]/u).findLast((segment) => segment !== '') ?? '';
  const shown = name.replace(/[\p{C}*`[\]<>|\\]/gu, '').slice(0, MAX_NAME_LENGTH);
  return shown === '' ? 'A file' : shown;
};

export const createAttach = ({ media, voice, logger, signal }: AttachDeps): Attach => {
  const open = (source: DirectiveSource): Promise<StoredFile> | string => {
    if (source.type === 'refused') return 'only http and https addresses are fetched';
    return source.type === 'url' ? media.fetch(source.url, { signal }) : media.take(source.path, { signal });
  };
  /** One entry for each file, however often and by whatever path it is named. */
  const distinct = async (sources: readonly DirectiveSource[]): Promise<readonly DirectiveSource[]> => {
    const found = new Map<string, DirectiveSource>();
    for (const source of sources) {
      const real = source.type === 'path' ? await media.locate(source.path) : undefined;
      const key = real ?? addressOf(source);
      if (!found.has(key)) found.set(key, source);
    }
    return [...found.values()];
  };
  const obtain = async (
    source: DirectiveSource,
    correlation: CorrelationId,
  ): Promise<StoredFile | string> => {
    let reason: string;
    let error: unknown;
    try {
      const file = await open(source);
      if (typeof file !== 'string') return file;
      reason = file;
    } catch (caught) {
      signal.throwIfAborted();
      error = caught;
      reason = caught instanceof GatewayError ? caught.message : 'it cannot be read';
    }
    logger.warn({ correlation, source: addressOf(source).slice(0, 500), reason, error }, 'file not attached');
    return `${nameOf(source)} could not be attached: ${reason}.`;
  };
  /** As it is shown best; what is to be a voice message is made one, and what keeps it from that is a problem. */
  const toPart = async (
    file: StoredFile,
    wishes: { readonly asVoice: boolean; readonly asDocument: boolean },
  ): Promise<{ readonly part: OutboundMediaPart; readonly problem?: string }> => {
    const part = toMediaPart(file, wishes);
    if (part.kind !== 'voice') return { part };
    const made = await voice.toVoice(file, { signal });
    if (made.part.file.path !== file.path) await media.release([file.path]);
    return made;
  };
  return async (text, { correlation }) => {
    const answer = await parseDirectives(text, {
      exists: async (path) => (await media.locate(path)) !== undefined,
    });
    if (answer.leftAlone > 0)
      logger.info(
        { correlation, count: answer.leftAlone },
        'media tag inside code or a quotation left alone',
      );
    const sources = await distinct(answer.sources.slice(0, MAX_FILES * 2));
    const results = await Promise.all(
      sources.slice(0, MAX_FILES).map((source) => obtain(source, correlation)),
    );
    const files = results.filter((result) => typeof result !== 'string');
    const made = await Promise.all(files.map((file) => toPart(file, answer)));
    const problems = results.filter((result) => typeof result === 'string');
    problems.push(...made.flatMap(({ problem }) => problem ?? []));
    if (sources.length > MAX_FILES) problems.push(`Only the first ${MAX_FILES} files are attached.`);
    const said = [answer.text, ...problems.map((problem) => `⚠️ ${problem}`)].filter(
      (one) => one.trim() !== '',
    );
    return {
      parts: [
        ...(said.length === 0 ? [] : [{ type: 'text' as const, text: said.join('\n\n') }]),
        ...made.map(({ part }) => part),
      ],
      problems,
    };
  };
};

/** The text as its writer finds it later: with what became of its files. */
export const withProblems = (text: string, problems: readonly string[]): string =>
  problems.length === 0 ? text : `${text}\n\n[Note of the gateway: ${problems.join(' ')}]`;
