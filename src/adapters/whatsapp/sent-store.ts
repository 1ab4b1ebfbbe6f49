/**
 * Messages of ours as they were sent, on the disk: a phone that could not decrypt one asks for it again, perhaps after a
 * restart, and what comes back to us as our own is known by its id. The oldest go.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../core/logger.js';

const MAX_MESSAGES = 1_000;
/** Removing is dear, so it is done for many at once. */
const SLACK = 200;
const idForm = /^[A-Za-z0-9._-]{1,64}$/u;

export class SentStore {
  readonly #folder: string;
  readonly #logger: Logger;
  /** In the order they were sent; undefined until the folder was read. */
  #ids: Promise<Set<string>> | undefined;
  /** Sent or about to be, which the disk may not say yet. */
  readonly #own = new Set<string>();

  constructor(folder: string, logger: Logger) {
    this.#folder = folder;
    this.#logger = logger;
  }

  /** From now on this id is one of ours, whatever becomes of the message. */
  claim(id: string): void {
    this.#own.add(id);
    const oldest = this.#own.values().next();
    if (this.#own.size > MAX_MESSAGES + SLACK && oldest.done !== true) this.#own.delete(oldest.value);
  }

  async isOurs(id: string): Promise<boolean> {
    return this.#own.has(id) || (await this.#known()).has(id);
  }

  /** Never rejects: without it only a repeat on request is lost. */
  async keep(id: string, bytes: Uint8Array): Promise<void> {
    if (!idForm.test(id)) return;
    try {
      const ids = await this.#known();
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const path = join(this.#folder, id);
      await writeFile(`${path}.new`, bytes, { mode: 0o600 });
      await rename(`${path}.new`, path);
      ids.delete(id);
      ids.add(id);
      if (ids.size > MAX_MESSAGES + SLACK) await this.#forgetOldest(ids);
    } catch (error) {
      this.#logger.warn({ error }, 'a sent message could not be kept for a repeat');
    }
  }

  async read(id: string): Promise<Uint8Array | undefined> {
    if (!idForm.test(id)) return undefined;
    return readFile(join(this.#folder, id)).catch(() => undefined);
  }

  async #forgetOldest(ids: Set<string>): Promise<void> {
    const old = [...ids].slice(0, ids.size - MAX_MESSAGES);
    for (const id of old) ids.delete(id);
    await Promise.all(old.map((id) => rm(join(this.#folder, id), { force: true })));
  }

  #known(): Promise<Set<string>> {
    this.#ids ??= this.#readFolder();
    return this.#ids;
  }

  async #readFolder(): Promise<Set<string>> {
    const names = await readdir(this.#folder).catch(() => [] as string[]);
    const found = await Promise.all(
      names
        .filter((name) => idForm.test(name) && !name.endsWith('.new'))
        .map(async (name) => ({
          name,
          at: (await stat(join(this.#folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
        })),
    );
    return new Set(found.sort((a, b) => a.at - b.at).map(({ name }) => name));
  }
}
