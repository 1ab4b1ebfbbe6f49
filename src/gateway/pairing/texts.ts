/** Rounded up, so that whoever waits that long has waited long enough. */
export const wordDuration = (ms: number): string => {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return `${Math.ceil(minutes / 60)} hours`;
};

export const explainPairing = ({
  platform,
  user,
  code,
  ttlMs,
}: {
  readonly platform: string;
  readonly user: string;
  readonly code: string;
  readonly ttlMs: number;
}): string =>
  [
    'I only talk to people my operator lets in.',
    `Your code is \`${code}\`. Give it to the operator, who lets you in with \`hermes pairing approve ${platform} ${code}\`. It is good for one use and for ${wordDuration(ttlMs)}.`,
    `Your id here is ${user}.`,
  ].join('\n\n');

export const explainFull = (user: string): string =>
  `I only talk to people my operator lets in, and too many are waiting for that already. Write again in an hour, or give the operator your id: ${user}.`;
