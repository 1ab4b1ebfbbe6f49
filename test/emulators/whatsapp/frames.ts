/** Frames on the socket: three bytes of length, then the bytes; before the first one the client introduces itself. */
const MAX_FRAME_BYTES = 1 << 24;

export function toFrame(bytes: Uint8Array): Buffer {
  if (bytes.length >= MAX_FRAME_BYTES) throw new RangeError('a frame of 16 MiB or more');
  const frame = Buffer.allocUnsafe(bytes.length + 3);
  frame.writeUIntBE(bytes.length, 0, 3);
  frame.set(bytes, 3);
  return frame;
}

export class FrameReader {
  #bytes: Buffer = Buffer.alloc(0);
  #isIntroduced = false;

  /** The frames that are whole with these bytes. Throws for an introduction that is none. */
  read(chunk: Buffer): Buffer[] {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    if (!this.#isIntroduced && !this.#skipIntroduction()) return [];
    const frames: Buffer[] = [];
    while (this.#bytes.length >= 3) {
      const end = 3 + this.#bytes.readUIntBE(0, 3);
      if (this.#bytes.length < end) break;
      frames.push(this.#bytes.subarray(3, end));
      this.#bytes = this.#bytes.subarray(end);
    }
    return frames;
  }

  /** `WA` and two version bytes; before them, once a server has said where to route, `ED`, 0, 1, and that. */
  #skipIntroduction(): boolean {
    let at = 0;
    if (this.#bytes.toString('latin1', 0, 2) === 'ED') {
      if (this.#bytes.length < 7) return false;
      at = 7 + this.#bytes.readUIntBE(4, 3);
    }
    if (this.#bytes.length < at + 4) return false;
    if (this.#bytes.toString('latin1', at, at + 2) !== 'WA') throw new Error('not a client of WhatsApp');
    this.#bytes = this.#bytes.subarray(at + 4);
    this.#isIntroduced = true;
    return true;
  }
}
