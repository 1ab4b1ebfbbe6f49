/** Stanzas, as Baileys' binary nodes, and how they are made and read here. */
import {
  type BinaryNode,
  encodeBigEndian,
  getBinaryNodeChild,
  getBinaryNodeChildBuffer,
  getBinaryNodeChildren,
} from '@whiskeysockets/baileys';

export type { BinaryNode };

export const SERVER = 's.whatsapp.net';

type Attributes = Readonly<Record<string, string | undefined>>;

/** Attributes that are undefined are left out. */
export function node(tag: string, attributes: Attributes = {}, content?: BinaryNode['content']): BinaryNode {
  const attrs: BinaryNode['attrs'] = {};
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) attrs[name] = value;
  return content === undefined ? { tag, attrs } : { tag, attrs, content };
}

export function attribute(stanza: BinaryNode, name: string): string {
  return stanza.attrs[name] ?? '';
}

export const child = getBinaryNodeChild;
export const children = getBinaryNodeChildren;

export function firstChild(stanza: BinaryNode): BinaryNode | undefined {
  return Array.isArray(stanza.content) ? stanza.content[0] : undefined;
}

/** Throws when there is no such child with bytes. */
export function bytesOf(stanza: BinaryNode | undefined, name: string): Buffer {
  const bytes = getBinaryNodeChildBuffer(stanza, name);
  if (bytes === undefined) throw new Error(`no <${name}> in <${stanza?.tag ?? 'nothing'}>`);
  return Buffer.from(bytes);
}

export function uintOf(stanza: BinaryNode | undefined, name: string): number {
  const bytes = bytesOf(stanza, name);
  return bytes.readUIntBE(0, bytes.length);
}

export function uint(value: number, lengthBytes = 4): Uint8Array {
  return encodeBigEndian(value, lengthBytes);
}

export function secondsNow(): string {
  return String(Math.floor(Date.now() / 1000));
}
