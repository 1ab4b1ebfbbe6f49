/** What an OGG file with one Opus stream says of itself. Pure. */

/** Opus counts at this rate whatever was recorded. */
const SAMPLES_PER_MS = 48;
const HEAD = 'OpusHead';

/** Its length in ms; undefined for what is not mono OGG/Opus, or has no end that can be found. */
export const readOggOpus = (bytes: Uint8Array): number | undefined => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = buffer.indexOf(HEAD, 0, 'latin1');
  if (buffer.toString('latin1', 0, 4) !== 'OggS' || head < 0 || head > 64 || buffer.length < head + 12)
    return undefined;
  const channels = buffer.readUInt8(head + 9);
  const skipped = buffer.readUInt16LE(head + 10);
  const last = buffer.lastIndexOf('OggS', undefined, 'latin1');
  if (channels !== 1 || buffer.length < last + 14) return undefined;
  const samples = Number(buffer.readBigInt64LE(last + 6)) - skipped;
  return samples > 0 ? Math.round(samples / SAMPLES_PER_MS) : undefined;
};
