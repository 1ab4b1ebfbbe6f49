/** Where a recording is silent, and where it may be cut. Pure. */

/** In ms from the beginning. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** Reads what ffmpeg's `silencedetect,ametadata=print` writes. The last silence may last until the end. */
export const parseSilences = (printed: string, durationMs: number): readonly Span[] => {
  const spans: Span[] = [];
  let startMs: number | undefined;
  for (const [, edge, seconds] of printed.matchAll(/lavfi\.silence_(start|end)=(-?[\d.]+)/gu)) {
    const atMs = Math.max(0, Math.round(Number(seconds) * 1000));
    if (edge === 'start') startMs = atMs;
    else if (startMs !== undefined) {
      spans.push({ startMs, endMs: atMs });
      startMs = undefined;
    }
  }
  return startMs === undefined ? spans : [...spans, { startMs, endMs: Math.max(startMs, durationMs) }];
};

/** Speech is at least this long; what is shorter is a click. */
const SHORTEST_SPEECH_MS = 150;

export const isSilent = (silences: readonly Span[], durationMs: number): boolean => {
  const silentMs = silences.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  return durationMs - silentMs < SHORTEST_SPEECH_MS;
};

/**
 * Portions of at most `maxMs`, each ending in the middle of the last silence that it reaches, or, where nobody pauses,
 * at its limit. Together they are the whole.
 */
export const toPortions = (durationMs: number, silences: readonly Span[], maxMs: number): readonly Span[] => {
  const middles = silences.map(({ startMs, endMs }) => Math.round((startMs + endMs) / 2));
  const portions: Span[] = [];
  let startMs = 0;
  while (durationMs - startMs > maxMs) {
    const from = startMs;
    const cut = middles.findLast((at) => at > from && at <= from + maxMs) ?? from + maxMs;
    portions.push({ startMs, endMs: cut });
    startMs = cut;
  }
  return [...portions, { startMs, endMs: durationMs }];
};
