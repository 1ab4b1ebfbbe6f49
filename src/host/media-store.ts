/**
 * Files on their way: what people send is kept in the home's cache, what is to be sent is copied to a spool first.
 * 1. A file appears under its name when it is whole; until then it has another, and a failure leaves nothing.
 * 2. No more than the limit is ever written, whatever the sender says of the size.
 * 3. Names cannot be guessed and belong to the owner alone (0600).
 */
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { never, ToolError } from '../core/errors.js';
import type { MediaStore, OpenMedia } from '../core/media.js';
import type { MediaKind, StoredFile } from '../core/parts.js';
import type { GuardedFetch } from './guarded-fetch.js';
import { isSpilledName, isUniqueName, toShownName, toUniqueName } from './media-names.js';
import { createMediaSource } from './media-source.js';
import { sweepFolders } from './media-sweep.js';
import { judgeType, SNIFFED_BYTES } from './media-types.js';

/** What a remote file may have: the largest upload of the usual platforms. */
const MAX_REMOTE_BYTES = 50 * 1_048_576;

const keptFolders = ['images', 'audio', 'videos', 'documents'] as const;

interface MediaStoreOptions {
  readonly home: string;
  readonly workspace: string;
  /** Further folders from which files may be sent. */
  readonly allowDirs: readonly string[];
  readonly fetch: GuardedFetch;
}

interface Incoming {
  readonly fileName: string | undefined;
  readonly mimeType: string | undefined;
  readonly fallbackName: string;
  readonly maxBytes: number;
  folderOf(mimeType: string): string;
}

const folderOf = (kind: MediaKind, mimeType: string): (typeof keptFolders)[number] => {
  if (kind === 'file') return 'documents';
  const [family] = mimeType.split('/');
  if (family === 'image') return 'images';
  if (family === 'audio') return 'audio';
  return family === 'video' ? 'videos' : 'documents';
};

const megabytes = (bytes: number): string => `${Math.round((bytes / 1_048_576) * 10) / 10} MB`;

/** Passes bytes on up to a limit, and remembers the first of them. */
class Gauge {
  readonly #maxBytes: number;
  #head = Buffer.alloc(0);
  sizeBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get head(): Uint8Array {
    return this.#head;
  }

  async *measure(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.sizeBytes += chunk.byteLength;
      if (this.sizeBytes > this.#maxBytes) {
        const message = `it is larger than ${megabytes(this.#maxBytes)}`;
        throw new ToolError({ code: 'invalid-input', message, retry: never });
      }
      if (this.#head.length < SNIFFED_BYTES)
        this.#head = Buffer.concat([this.#head, chunk.subarray(0, SNIFFED_BYTES - this.#head.length)]);
      yield chunk;
    }
  }
}

/** Writes a file that is not there yet and is there whole or not at all. */
const receive = async (
  incoming: Incoming,
  cache: string,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<StoredFile> => {
  const part = join(cache, `.${randomBytes(12).toString('hex')}.part`);
  const gauge = new Gauge(incoming.maxBytes);
  try {
    await mkdir(cache, { recursive: true, mode: 0o700 });
    await pipeline(
      Readable.from(gauge.measure(bytes), { objectMode: false }),
      createWriteStream(part, { flags: 'wx', mode: 0o600 }),
      { signal },
    );
    if (gauge.sizeBytes === 0)
      throw new ToolError({ code: 'invalid-input', message: 'it is empty (0 bytes)', retry: never });
    const given = toShownName(incoming.fileName, incoming.fallbackName);
    const mimeType = judgeType(gauge.head, given, incoming.mimeType);
    const folder = join(cache, incoming.folderOf(mimeType));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, toUniqueName(given, mimeType));
    await rename(part, path);
    return { path, fileName: given, mimeType, sizeBytes: gauge.sizeBytes };
  } catch (error) {
    await rm(part, { force: true });
    signal.throwIfAborted();
    throw toToolError(error);
  }
};

const toToolError = (error: unknown): unknown => {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return error;
  const message =
    error.code === 'ENOSPC' ? 'the disk is full' : `it cannot be stored (${String(error.code)})`;
  return new ToolError({ code: 'failed', message, retry: never, cause: error });
};

export const createMediaStore = ({ home, workspace, allowDirs, fetch }: MediaStoreOptions): MediaStore => {
  const cache = join(home, 'cache');
  const spool = join(cache, 'outbox');
  const source = createMediaSource({
    home,
    allowed: [cache, workspace, ...allowDirs],
    closed: spool,
    userHome: homedir(),
  });
  const spoolFolder = { folderOf: () => 'outbox', mimeType: undefined, fallbackName: 'file' };

  return {
    keep: ({ kind, fileName, mimeType, maxBytes }, bytes, { signal }) =>
      receive(
        { fileName, mimeType, maxBytes, fallbackName: kind, folderOf: (type) => folderOf(kind, type) },
        cache,
        bytes,
        signal,
      ),
    open: (id) => openKept(cache, id),
    locate: (path) => source.judge(path).catch(() => undefined),
    take: async (path, { signal }) => {
      signal.throwIfAborted();
      const { handle, sizeBytes } = await source.open(path);
      try {
        // A file that grows while it is copied is sent as it was when it was judged.
        const bytes = handle.createReadStream({ autoClose: false, start: 0, end: sizeBytes - 1 });
        const incoming = { ...spoolFolder, fileName: basename(path), maxBytes: sizeBytes };
        return await receive(incoming, cache, bytes, signal);
      } finally {
        await handle.close();
      }
    },
    fetch: async (url, { signal }) => {
      const answer = await fetch(url, { signal, maxBytes: MAX_REMOTE_BYTES });
      const { fileName, mimeType } = answer;
      return receive(
        { ...spoolFolder, fileName, mimeType, maxBytes: MAX_REMOTE_BYTES },
        cache,
        answer.bytes,
        signal,
      );
    },
    copy: async (file, { signal }) => copySpooled(file, spool, signal),
    release: async (paths) => {
      const own = paths.filter((path) => dirname(path) === spool);
      await Promise.all(own.map((path) => unlink(path).catch(() => {})));
    },
    spooled: async () => {
      const names = await readdir(spool).catch(() => []);
      return names.map((name) => join(spool, name));
    },
    forget: async (ids) => {
      const own = ids.filter((id) => isUniqueName(id) || isSpilledName(id));
      const paths = own.flatMap((id) => keptFolders.map((folder) => join(cache, folder, id)));
      await Promise.all(paths.map((path) => unlink(path).catch(() => {})));
    },
    sweep: (limits) => sweepFolders([cache, ...keptFolders.map((name) => join(cache, name))], limits),
  };
};

const copySpooled = (
  { path, fileName, mimeType, sizeBytes }: StoredFile,
  spool: string,
  signal: AbortSignal,
): Promise<StoredFile> => {
  signal.throwIfAborted();
  if (dirname(path) !== spool) {
    const message = 'it was not taken for sending';
    throw new ToolError({ code: 'not-allowed', message, retry: never });
  }
  const incoming = {
    folderOf: () => basename(spool),
    fileName,
    mimeType,
    fallbackName: 'file',
    maxBytes: sizeBytes,
  };
  return receive(incoming, dirname(spool), createReadStream(path), signal);
};

const openKept = async (cache: string, id: string): Promise<OpenMedia | undefined> => {
  if (!isUniqueName(id)) return undefined;
  for (const folder of keptFolders) {
    const path = join(cache, folder, id);
    const stats = await stat(path).catch(() => undefined);
    if (stats?.isFile() !== true) continue;
    const handle = await open(path).catch(() => undefined);
    if (handle === undefined) return undefined;
    try {
      const head = Buffer.alloc(SNIFFED_BYTES);
      const { bytesRead } = await handle.read(head, 0, head.length, 0);
      const mimeType = judgeType(head.subarray(0, bytesRead), id);
      // Opened when it is read, so that what is not read leaves nothing open.
      const bytes = { [Symbol.asyncIterator]: () => createReadStream(path)[Symbol.asyncIterator]() };
      return { file: { path, fileName: id, mimeType, sizeBytes: stats.size }, bytes };
    } finally {
      await handle.close();
    }
  }
  return undefined;
};
