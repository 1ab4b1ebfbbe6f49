/** Files of messages: those that come with a request, and those that a page shows. */
import { Readable } from 'node:stream';
import type { Hono } from 'hono';
import { ToolError } from '../../core/errors.js';
import type { PageMedia } from '../../core/page-log.js';
import type { InboundMediaPart, MediaKind, StoredFile } from '../../core/parts.js';
import type { AdapterPorts } from '../../core/platform-definition.js';
import type { HttpEnv } from './http-env.js';
import { answerProblem, type Checked, failed, passed } from './http-problem.js';
import { toPageMedia } from './ids.js';

export interface SentFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
  /** A recording that is to be understood. */
  readonly isVoice: boolean;
}

/** Types that a browser shows in a page by themselves and that run nothing. */
const shown = /^(?:image\/(?:png|jpeg|gif|webp|bmp|avif)|(?:audio|video)\/)/u;

const kindOf = (type: string): MediaKind => {
  const [family] = type.split('/');
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'file';
};

const toPart = (file: StoredFile, kind: MediaKind): InboundMediaPart => ({
  type: 'media',
  kind,
  handle: null,
  description: `a file called ${file.fileName}`,
  fileName: file.fileName,
  mimeType: file.mimeType,
  sizeBytes: file.sizeBytes,
  kept: file,
});

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Keeps the files of a request; all or none count. */
export const keepFiles = async (
  files: readonly SentFile[],
  media: AdapterPorts['media'],
  options: { readonly signal: AbortSignal },
): Promise<
  Checked<{ readonly parts: readonly InboundMediaPart[]; readonly media: readonly PageMedia[] }>
> => {
  const parts: InboundMediaPart[] = [];
  for (const { name, type, bytes, isVoice } of files) {
    const kind = isVoice ? 'voice' : kindOf(type);
    const request = { kind, fileName: name, mimeType: type, maxBytes: Math.max(1, bytes.length) };
    try {
      parts.push(toPart(await media.keep(request, once(bytes), options), kind));
    } catch (error) {
      if (error instanceof ToolError && error.code === 'invalid-input')
        return failed(400, 'invalid-request', `The file '${name}' cannot be taken: ${error.message}.`);
      throw error;
    }
  }
  return passed({ parts, media: parts.flatMap(({ kept }) => (kept === undefined ? [] : toPageMedia(kept))) });
};

/** As RFC 8187 has it; the plain name is for clients that do not know it. */
const dispositionOf = (type: string, name: string): string =>
  `${shown.test(type) ? 'inline' : 'attachment'}; filename="${name.replace(/[^\w.-]/gu, '_')}"; ` +
  `filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/gu, (one) => `%${one.charCodeAt(0).toString(16)}`)}`;

export const addMediaRoutes = (app: Hono<HttpEnv>, media: AdapterPorts['media']): void => {
  app.get('/api/media/:id', async (context) => {
    const found = await media.open(context.req.param('id'));
    if (found === undefined)
      return answerProblem(
        context,
        failed(404, 'not-found', 'This file is not kept here, or no longer.').problem,
      );
    const { mimeType, sizeBytes, fileName } = found.file;
    const headers = {
      'content-type': shown.test(mimeType) ? mimeType : 'application/octet-stream',
      'content-length': String(sizeBytes),
      'content-disposition': dispositionOf(mimeType, context.req.query('name') ?? fileName),
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=86400',
    };
    if (context.req.method === 'HEAD') return context.body(null, 200, headers);
    return context.body(toWebStream(found.bytes), 200, headers);
  });
};

const toWebStream = (bytes: AsyncIterable<Uint8Array>): ReadableStream =>
  // Node's own type of the same standard stream.
  Readable.toWeb(Readable.from(bytes, { objectMode: false })) as ReadableStream;
