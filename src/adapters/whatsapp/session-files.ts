/**
 * The linked device's credentials and keys, one file each, in the layout that Baileys itself uses, so that a session of
 * another program can be put here.
 *
 * 1. A file is written beside its place and then moved there: a crash leaves the old one or the new one.
 * 2. The credentials have a backup, made of what was read or written whole; it is read where they cannot be.
 * 3. Nothing here deletes credentials. A session that is worth nothing any more is moved aside as a whole.
 */
import { copyFile, mkdir, open, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from '../../core/logger.js';

/** The SDK's own way of writing keys as JSON. */
export interface Codec<Creds> {
  toText(value: unknown): string;
  /** Throws for what is no JSON. */
  fromText(text: string): unknown;
  /** Undefined for what is no whole set of credentials. */
  toCreds(value: unknown): Creds | undefined;
}

/** `damaged`: there were credentials, and neither they nor their backup can be read. */
export type LoadedSession<Creds> =
  | { readonly kind: 'linked'; readonly creds: Creds }
  | { readonly kind: 'none' }
  | { readonly kind: 'damaged'; readonly reason: string };

/** Keys by type and id; null takes one away. */
type KeySet = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** Sessions of people who write now and then; read again from the disk where forgotten. */
const MAX_CACHED = 5_000;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

export class SessionFiles<Creds> {
  readonly folder: string;
  readonly #codec: Codec<Creds>;
  readonly #logger: Logger;
  /** What a key's file holds; null for one that is not there. */
  readonly #cached = new Map<string, string | null>();
  #saving: Promise<void> = Promise.resolve();
  #tickets = 0;

  constructor(folder: string, codec: Codec<Creds>, logger: Logger) {
    this.folder = folder;
    this.#codec = codec;
    this.#logger = logger;
  }

  async load(): Promise<LoadedSession<Creds>> {
    const main = await this.#readCreds('creds.json');
    if (main.kind === 'linked') {
      await copyFile(this.#path('creds.json'), this.#path('creds.json.bak.new'));
      await rename(this.#path('creds.json.bak.new'), this.#path('creds.json.bak'));
      return main;
    }
    const backup = await this.#readCreds('creds.json.bak');
    if (backup.kind === 'linked') {
      this.#logger.warn({ folder: this.folder }, 'credentials could not be read; the backup is used');
      return backup;
    }
    return main.kind === 'damaged' ? main : backup;
  }

  /** Rejects where the disk refuses. One after the other, each with what is true when it is written. */
  saveCreds(creds: Creds): Promise<void> {
    const saving = this.#saving.catch(() => undefined).then(() => this.#writeCreds(creds));
    this.#saving = saving;
    return saving;
  }

  async readKeys(type: string, ids: readonly string[]): Promise<Record<string, unknown>> {
    const found: Record<string, unknown> = {};
    await Promise.all(
      ids.map(async (id) => {
        const value = await this.#readKey(`${type}-${id}`);
        if (value !== undefined) found[id] = value;
      }),
    );
    return found;
  }

  async writeKeys(keys: KeySet): Promise<void> {
    const entries = Object.entries(keys).flatMap(([type, values]) =>
      Object.entries(values ?? {}).map(([id, value]) => [`${type}-${id}`, value] as const),
    );
    await Promise.all(entries.map(([name, value]) => this.#writeKey(name, value)));
  }

  /** Out of the way, whole, under another name beside it. What is not there is no matter. */
  async setAside(suffix: string): Promise<void> {
    await this.#saving.catch(() => undefined);
    await rename(this.folder, `${this.folder}.${suffix}`).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    this.#cached.clear();
  }

  /** Takes the place of another session, which is moved aside. */
  async moveTo(folder: string, suffix: string): Promise<void> {
    await this.#saving;
    // An empty one holds nothing that could be missed.
    await rmdir(folder).catch(() => undefined);
    await rename(folder, `${folder}.${suffix}`).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    await mkdir(dirname(folder), { recursive: true, mode: FOLDER_MODE });
    await rename(this.folder, folder);
  }

  /** For a session that was never linked. */
  async discard(): Promise<void> {
    await this.#saving.catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Credentials were put here by somebody else: nothing that was read before holds. */
  forget(): void {
    this.#cached.clear();
  }

  #path(name: string): string {
    return join(this.folder, name);
  }

  async #readCreds(name: string): Promise<LoadedSession<Creds>> {
    try {
      const text = await readFile(this.#path(name), 'utf8');
      const creds = this.#codec.toCreds(this.#codec.fromText(text));
      return creds === undefined
        ? { kind: 'damaged', reason: `${name} holds no credentials` }
        : { kind: 'linked', creds };
    } catch (error) {
      if (isMissing(error)) return { kind: 'none' };
      // A JSON error may quote what it stumbled over, which is a key.
      const reason = error instanceof SyntaxError ? 'it is no JSON' : String((error as Error).message);
      return { kind: 'damaged', reason: `${name}: ${reason}` };
    }
  }

  async #writeCreds(creds: Creds): Promise<void> {
    const path = this.#path('creds.json');
    const text = this.#codec.toText(creds);
    await mkdir(this.folder, { recursive: true, mode: FOLDER_MODE });
    const file = await open(`${path}.new`, 'w', FILE_MODE);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    // What stands there now was written whole, by us.
    await rename(path, `${path}.bak`).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    await rename(`${path}.new`, path);
  }

  async #readKey(name: string): Promise<unknown> {
    const cached = this.#cached.get(name);
    if (cached === null) return undefined;
    try {
      const text = cached ?? (await readFile(this.#path(fileOf(name)), 'utf8'));
      const value = this.#codec.fromText(text);
      this.#remember(name, text);
      return value;
    } catch (error) {
      if (!isMissing(error))
        this.#logger.warn(
          { key: name.split('-')[0] },
          'a key of the session cannot be read; a new one is made',
        );
      else this.#remember(name, null);
      return undefined;
    }
  }

  async #writeKey(name: string, value: unknown): Promise<void> {
    const path = this.#path(fileOf(name));
    if (value === null || value === undefined) {
      this.#remember(name, null);
      await rm(path, { force: true });
      return;
    }
    const text = this.#codec.toText(value);
    await mkdir(this.folder, { recursive: true, mode: FOLDER_MODE });
    this.#tickets += 1;
    const draft = `${path}.${this.#tickets}.new`;
    await writeFile(draft, text, { mode: FILE_MODE });
    await rename(draft, path);
    this.#remember(name, text);
  }

  #remember(name: string, text: string | null): void {
    this.#cached.delete(name);
    this.#cached.set(name, text);
    const oldest = this.#cached.keys().next();
    if (this.#cached.size > MAX_CACHED && oldest.done !== true) this.#cached.delete(oldest.value);
  }
}

/** As Baileys names them. */
const fileOf = (name: string): string => `${name.replaceAll('/', '__').replaceAll(':', '-')}.json`;
