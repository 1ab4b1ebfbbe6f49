/**
 * What a program prints: beginning and end in memory, all of it in a file once that is more. Memory stays flat however
 * much comes.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandOutput } from '../../core/commands.js';

/** As in the original: 50,000, the first two fifths and the last three. */
const maxHeadBytes = 20_000;
const maxTailBytes = 30_000;
/** Of the file. */
const maxFileBytes = 50 * 1024 * 1024;

export class KeptOutput {
  readonly #folder: string;
  readonly #name: string;
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #sizeBytes = 0;
  #file: { readonly path: string; readonly descriptor: number; sizeBytes: number } | undefined;
  #isClosed = false;

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  add(chunk: Buffer): void {
    if (this.#isClosed) return;
    this.#sizeBytes += chunk.length;
    const room = maxHeadBytes - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    const rest = chunk.subarray(Math.max(0, room));
    // Cut only now and then: the copy would cost as much as the chunk is small.
    this.#tail = Buffer.concat([this.#tail, rest.subarray(-2 * maxTailBytes)]);
    if (this.#sizeBytes > maxHeadBytes + maxTailBytes) this.#write(chunk);
    if (this.#tail.length > 2 * maxTailBytes) this.#tail = Buffer.from(this.#tail.subarray(-maxTailBytes));
  }

  /** No more comes. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#file !== undefined) closeSync(this.#file.descriptor);
  }

  /** The last bytes, as text. */
  end(): string {
    const whole = this.#tail.length > 0 ? this.#tail : this.#head;
    return whole.toString('utf8');
  }

  /** `cut`: takes out of the text what is no output. */
  read(cut: (text: string) => string = (text) => text): CommandOutput {
    const tail = this.#tail.subarray(-maxTailBytes);
    const left = this.#sizeBytes - this.#head.length - tail.length;
    if (left <= 0)
      return { text: toText(Buffer.concat([this.#head, tail]), cut), sizeBytes: this.#sizeBytes };
    const file = this.#file?.path;
    const where = file === undefined ? '' : `; all of it is in ${file}`;
    const text = `${toText(this.#head, cut)}\n[… ${left} bytes left out${where} …]\n${toText(tail, cut)}`;
    return { text, sizeBytes: this.#sizeBytes, ...(file !== undefined && { file }) };
  }

  #write(chunk: Buffer): void {
    try {
      if (this.#file === undefined) {
        mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
        const path = join(this.#folder, `${this.#name}.txt`);
        this.#file = { path, descriptor: openSync(path, 'wx', 0o600), sizeBytes: 0 };
        // Nothing was cut from the tail so far.
        this.#append(this.#head);
        this.#append(this.#tail);
        return;
      }
      this.#append(chunk);
    } catch {
      // A full disk costs the middle of the output and no more.
    }
  }

  #append(bytes: Buffer): void {
    if (this.#file === undefined || this.#file.sizeBytes >= maxFileBytes) return;
    const part = bytes.subarray(0, maxFileBytes - this.#file.sizeBytes);
    writeSync(this.#file.descriptor, part);
    this.#file.sizeBytes += part.length;
  }
}

// Colours and cursor movements are for eyes; what a model cannot read costs it the rest.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controlSequences = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\-_])/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controlCharacters = /[\u0000-\u0008\u000B\u000C\u000E-\u001D\u001F\u007F]/gu;

const toText = (bytes: Buffer, cut: (text: string) => string): string =>
  cut(bytes.toString('utf8'))
    .replaceAll('\r\n', '\n')
    .replaceAll(controlSequences, '')
    .replaceAll(controlCharacters, '');
