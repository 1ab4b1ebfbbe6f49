/** What each session knows of files, and what users were shown of them. In memory: after a restart nothing is known. */
import type { FileReader, FileStamp } from '../core/file-edits.js';
import type { SessionId } from '../core/ids.js';
import { refuse } from './workspace-places.js';

/** The oldest are forgotten first; a file that is not known is not checked. */
const maxEntries = 5_000;

export class KnownFiles {
  /** From who and which file to the version. */
  readonly #versions = new Map<string, string>();

  noteRead(session: SessionId, { path, version }: FileStamp): void {
    this.#note(JSON.stringify([session, path]), version);
  }

  noteShown({ session, call }: FileReader, { path, version }: FileStamp): void {
    this.#note(JSON.stringify([session, path, call]), version);
  }

  /** Throws a ToolError unless the file is as the reader knows it. `shown`: the path in the caller's words. */
  check({ session, call }: FileReader, { path, version }: FileStamp, shown: string): void {
    const seen = this.#versions.get(JSON.stringify([session, path, call]));
    if (seen !== undefined && seen !== version)
      throw refuse(
        'not-allowed',
        `'${shown}' was changed after the user was shown what becomes of it, so nothing was written. Read it again, then decide.`,
      );
    const read = this.#versions.get(JSON.stringify([session, path]));
    if (read !== undefined && read !== version)
      throw refuse(
        'not-allowed',
        `'${shown}' was changed since you read it, so nothing was written. Read it again, then decide.`,
      );
  }

  #note(key: string, version: string): void {
    this.#versions.delete(key);
    this.#versions.set(key, version);
    if (this.#versions.size <= maxEntries) return;
    const [oldest] = this.#versions.keys();
    if (oldest !== undefined) this.#versions.delete(oldest);
  }
}
