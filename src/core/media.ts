import type { MediaKind, StoredFile } from './parts.js';

export interface KeepRequest {
  readonly kind: MediaKind;
  readonly fileName?: string;
  readonly mimeType?: string;
  readonly maxBytes: number;
}

/**
 * Files on their way in and out. Every method rejects with a ToolError whose message says in one sentence what is wrong
 * (refused, not there, too large, cannot be fetched), or with the signal's reason.
 */
export interface MediaStore {
  /** Keeps what a platform or a page sent in the cache folder of its kind; its type is judged by its content. */
  keep(
    request: KeepRequest,
    bytes: AsyncIterable<Uint8Array>,
    options: { readonly signal: AbortSignal },
  ): Promise<StoredFile>;
  /** A kept file by its id (the last segment of its path, which nobody can guess); undefined if there is none. */
  open(id: string): Promise<OpenMedia | undefined>;
  /** Where a path really leads, if the file there may be sent and can be read; undefined otherwise. Never rejects. */
  locate(path: string): Promise<string | undefined>;
  /**
   * Takes a local file for sending: opens it, checks the opened file (real path inside an allowed folder, regular, no
   * secret) and copies that very file to the spool, so that what is sent is what was checked.
   */
  take(path: string, options: { readonly signal: AbortSignal }): Promise<StoredFile>;
  /** The same for `http:` and `https:` addresses, fetched through the guarded fetch. */
  fetch(url: string, options: { readonly signal: AbortSignal }): Promise<StoredFile>;
  /** Another copy of a spooled file, forgotten on its own. */
  copy(file: StoredFile, options: { readonly signal: AbortSignal }): Promise<StoredFile>;
  /** Forgets spooled files that are no longer needed; paths that are not in the spool are left alone. */
  release(paths: readonly string[]): Promise<void>;
  /** Everything that is in the spool, to be forgotten at a start unless a delivery still names it. */
  spooled(): Promise<readonly string[]>;
  /** Forgets kept files by their ids, and texts of ours that were kept beside them. Others are left alone. */
  forget(ids: readonly string[]): Promise<void>;
  /** Forgets kept files, the oldest first, until none is older and all together are not larger. */
  sweep(limits: { readonly olderThan: number; readonly maxBytes: number }): Promise<SweepReport>;
}

export interface OpenMedia {
  readonly file: StoredFile;
  /** To be read once, or not at all. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface SweepReport {
  readonly files: number;
  readonly bytes: number;
}
