/** Samples to the little drawing that platforms show beside a voice message. Pure. */

const BARS = 64;

/** `pcm`: 16-bit little-endian mono. Gives 64 values from 0 (silent) to `top`, the loudest being `top`. */
export const toWaveform = (pcm: Uint8Array, top = 255): Uint8Array => {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  const samples = Math.floor(pcm.byteLength / 2);
  const levels = Array.from({ length: BARS }, (_, bar) => {
    const start = Math.floor((bar * samples) / BARS);
    const end = Math.max(start, Math.floor(((bar + 1) * samples) / BARS));
    let sum = 0;
    for (let index = start; index < end; index += 1) sum += view.getInt16(index * 2, true) ** 2;
    return end === start ? 0 : Math.sqrt(sum / (end - start));
  });
  const loudest = Math.max(...levels);
  return Uint8Array.from(levels, (level) => (loudest === 0 ? 0 : Math.round((level / loudest) * top)));
};
