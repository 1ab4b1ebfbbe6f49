/**
 * Who is who: a person's phone number and hidden id (LID), both ways. The one place where the two are brought together,
 * so that allowlists, mentions, quotes and session keys see one person whichever of them a message carries.
 */
import { remember } from '../kit/remember.js';
import type { WhatsAppSocket } from './client.js';
import { digitsOf, isLid, isNumber, type Jid, nameOfJid, toPlainJid } from './ids.js';

const MAX_REMEMBERED = 10_000;

type Lookup = Pick<WhatsAppSocket, 'numberOfLid' | 'lidOfNumber'>;

export class Identities {
  readonly #numbers = new Map<Jid, Jid>();
  readonly #lids = new Map<Jid, Jid>();
  readonly #names = new Map<Jid, string>();
  /** The account that we are: number and hidden id. */
  #self: readonly Jid[] = [];
  #selfName: string | undefined;

  setSelf(me: WhatsAppSocket['me']): void {
    const [id, lid] = [toPlainJid(me?.id), toPlainJid(me?.lid)];
    if (id !== undefined && lid !== undefined) this.learn(id, lid);
    this.#self = [id, lid].filter((jid) => jid !== undefined);
    this.#selfName = me?.name;
  }

  get selfName(): string | undefined {
    return this.#selfName;
  }

  isSelf(jid: unknown): boolean {
    const plain = toPlainJid(jid);
    return plain !== undefined && this.#self.includes(plain);
  }

  /** A text that names us by number although its client marked no mention. */
  isNamedIn(text: string): boolean {
    return this.#self.some((jid) => new RegExp(`@${digitsOf(jid)}(?!\\d)`, 'u').test(text));
  }

  /** Two ids of one person, in either order. True if that was news. */
  learn(first: unknown, second: unknown): boolean {
    const [a, b] = [toPlainJid(first), toPlainJid(second)];
    if (a === undefined || b === undefined) return false;
    const [lid, number] = isLid(a) ? [a, b] : [b, a];
    if (!isLid(lid) || !isNumber(number)) return false;
    const isNews = this.#numbers.get(lid) !== number;
    remember(this.#numbers, lid, number, MAX_REMEMBERED);
    remember(this.#lids, number, lid, MAX_REMEMBERED);
    return isNews;
  }

  learnName(jid: Jid, name: string): void {
    remember(this.#names, this.resolve(jid), name, MAX_REMEMBERED);
  }

  /** The number of a hidden id, where it is known; all else as it is. */
  resolve(jid: Jid): Jid {
    return this.#numbers.get(jid) ?? jid;
  }

  /** As people are to read it. */
  shownName(jid: Jid): string {
    if (this.isSelf(jid)) return this.#selfName ?? nameOfJid(this.resolve(jid));
    return this.#names.get(this.resolve(jid)) ?? nameOfJid(this.resolve(jid));
  }

  /** What a hidden id's number is, asked of what the device has stored. Never rejects. */
  async lookUp(jid: unknown, socket: Lookup | undefined): Promise<void> {
    const plain = toPlainJid(jid);
    if (plain === undefined || !isLid(plain) || this.#numbers.has(plain) || socket === undefined) return;
    this.learn(plain, await socket.numberOfLid(plain).catch(() => undefined));
  }

  /**
   * Where to send to: the hidden id, without which the first message to somebody cannot be encrypted. Undefined for a
   * number that WhatsApp does not know. Rejects with what the SDK says.
   */
  async addressOf(jid: Jid, socket: Lookup): Promise<Jid | undefined> {
    if (!isNumber(jid)) return jid;
    const known = this.#lids.get(jid);
    if (known !== undefined) return known;
    if (this.isSelf(jid)) return jid;
    const found = toPlainJid(await socket.lidOfNumber(jid));
    this.learn(jid, found);
    return found;
  }

  /** `@900100200300` as people read it: the name of whoever is mentioned. */
  readable(text: string, mentioned: readonly Jid[]): string {
    let readable = text;
    for (const jid of mentioned)
      readable = readable.replaceAll(`@${digitsOf(jid)}`, `@${this.shownName(jid)}`);
    return readable;
  }
}
