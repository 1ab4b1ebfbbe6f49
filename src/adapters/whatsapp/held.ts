/**
 * Messages between the moment they are decrypted and the moment they are stored, on the disk: the SDK tells WhatsApp that
 * a message has arrived before anybody can store it, and WhatsApp then gives it no second time.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WAMessage } from '@whiskeysockets/baileys';
import type { Logger } from '../../core/logger.js';
import { toPlainJid } from './ids.js';

/** What names a message at WhatsApp. */
export interface HeldKey {
  readonly chat: string;
  readonly participant?: string | undefined;
  readonly id: string;
}

/** As it is kept: what is known of a message beside what it says, and that as bytes. */
export interface HeldMessage {
  /** Plain data: key, time, name. */
  readonly envelope: unknown;
  /** Protobuf, in base64: what was decrypted, in order. */
  readonly contents: readonly string[];
}

export interface HeldCodec {
  fromHeld(held: unknown): WAMessage | undefined;
}

/** Whichever of a sender's devices it came from. */
const plain = (jid = ''): string => toPlainJid(jid) ?? jid;

const fileOf = ({ chat, participant, id }: HeldKey): string => {
  const name = JSON.stringify([plain(chat), plain(participant), id]);
  return `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.json`;
};

export class Held {
  readonly #folder: string;
  readonly #codec: HeldCodec;
  readonly #logger: Logger;
  /** Files that are there and not yet released. */
  readonly #names = new Set<string>();
  #count = 0;

  constructor(folder: string, codec: HeldCodec, logger: Logger) {
    this.#folder = folder;
    this.#codec = codec;
    this.#logger = logger;
  }

  /** Rejects where the disk refuses, and the message is then not taken. */
  async keep(key: HeldKey, held: HeldMessage): Promise<void> {
    const name = fileOf(key);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    this.#count += 1;
    const draft = join(this.#folder, `${name}.${this.#count}.new`);
    await writeFile(draft, JSON.stringify({ order: this.#count, at: Date.now(), ...held }), { mode: 0o600 });
    await rename(draft, join(this.#folder, name));
    this.#names.add(name);
  }

  /** What an earlier life held, or what came while nobody received; by time. Never rejects. */
  async all(): Promise<readonly WAMessage[]> {
    const names = await readdir(this.#folder).catch(() => [] as string[]);
    const found: { readonly rank: number; readonly message: WAMessage }[] = [];
    for (const name of names.filter((one) => one.endsWith('.json') && !this.#names.has(one))) {
      try {
        const value: unknown = JSON.parse(await readFile(join(this.#folder, name), 'utf8'));
        const message = this.#codec.fromHeld(value);
        if (message === undefined) continue;
        found.push({ rank: rankOf(value), message });
        this.#names.add(name);
      } catch (error) {
        this.#logger.error({ error, name }, 'a held message cannot be read');
      }
    }
    return found.sort((a, b) => a.rank - b.rank).map(({ message }) => message);
  }

  /** It is stored, or is nothing for us. Never rejects. */
  async release({ key }: WAMessage): Promise<void> {
    const name = fileOf({
      chat: key.remoteJid ?? '',
      participant: key.participant ?? undefined,
      id: key.id ?? '',
    });
    if (!this.#names.delete(name)) return;
    await rm(join(this.#folder, name), { force: true }).catch((error: unknown) => {
      this.#logger.warn(
        { error },
        'a held message could not be removed; it is known when it is offered again',
      );
    });
  }
}

const rankOf = (value: unknown): number =>
  typeof value === 'object' && value !== null && 'at' in value && typeof value.at === 'number' ? value.at : 0;
