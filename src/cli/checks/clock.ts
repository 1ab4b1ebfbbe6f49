import { formatSpan } from '../time-span.js';
import { type Finding, LIMIT_MS, type SettledContext } from './finding.js';

const base = { id: 'clock', title: 'Clock' } as const;
/** Headers tell whole seconds, and an answer travels. */
const SKEW_MS = 30_000;

/** Whoever the gateway talks to anyway. */
const placesOf = ({ settings }: SettledContext): readonly string[] => [
  ...(settings.model.type === 'offline' ? [] : [settings.model.baseUrl]),
  ...settings.platforms.flatMap(({ definition, section, isEnabled }) =>
    isEnabled && definition.probe !== undefined ? [definition.probe.address(section)] : [],
  ),
];

/** What time it is there; undefined if nobody says. Whatever is answered has a date. */
const timeAt = async (place: string): Promise<number | undefined> => {
  try {
    const signal = AbortSignal.timeout(LIMIT_MS);
    const { headers } = await fetch(place, { method: 'HEAD', redirect: 'manual', signal });
    const at = Date.parse(headers.get('date') ?? '');
    return Number.isNaN(at) ? undefined : at;
  } catch {
    return undefined;
  }
};

export const checkClock = async (context: SettledContext): Promise<readonly Finding[]> => {
  for (const place of placesOf(context)) {
    const askedAt = context.clock.now();
    const there = await timeAt(place);
    if (there === undefined) continue;
    const skewMs = (askedAt + context.clock.now()) / 2 - there;
    if (Math.abs(skewMs) <= SKEW_MS) return [{ ...base, state: 'ok', text: 'goes right' }];
    const direction = skewMs > 0 ? 'fast' : 'slow';
    return [
      {
        ...base,
        state: 'mend',
        text: `${formatSpan(Math.abs(skewMs))} ${direction}, by the date of ${new URL(place).host}`,
        fix: 'Let the host set its clock: `sudo timedatectl set-ntp true`. Until then jobs run at the wrong time.',
      },
    ];
  }
  return [{ ...base, state: 'skipped', text: 'nobody could be asked for the time' }];
};
