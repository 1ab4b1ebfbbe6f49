import { expect } from 'vitest';
import { type PlatformCases, type PlatformHarness, Reception } from './harness.js';
import { sendText } from './sending-cases.js';

/** Longer than any first pause before something is tried again, shorter than what ends a poll. */
const PAUSE_MS = 5_000;

const receiving = async (
  { adapter }: PlatformHarness,
  body: (reception: Reception) => Promise<void>,
): Promise<Reception> => {
  const reception = new Reception();
  reception.begin(adapter);
  try {
    await reception.connected();
    await body(reception);
  } finally {
    await reception.stop();
  }
  return reception;
};

export const receivingCases: PlatformCases = {
  'a running adapter reports that it is connected and ends with its signal': async (harness) => {
    const reception = await receiving(harness, async () => undefined);
    expect(reception.statuses.map(({ state }) => state)).toContain('connected');
  },

  'what a person writes arrives with where and from whom it came': async (harness) => {
    const { events } = await receiving(harness, async (reception) => {
      await harness.say('hello there');
      await reception.until(() => reception.events.length > 0);
    });
    const { route } = harness;
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      type: 'message',
      origin: { platform: route.platform, account: route.account, chat: route.chat },
      parts: [{ type: 'text', text: 'hello there' }],
      sender: { isBot: false },
    });
    expect(events[0]?.dedupeKey).toContain(route.platform);
  },

  'each message has a key of its own': async (harness) => {
    const { events } = await receiving(harness, async (reception) => {
      await harness.say('same words');
      await harness.say('same words');
      await reception.until(() => reception.events.length > 1);
    });
    expect(new Set(events.map(({ dedupeKey }) => dedupeKey)).size).toBe(2);
  },

  'our own messages do not come back': async (harness) => {
    const { events } = await receiving(harness, async (reception) => {
      await sendText(harness, 'from us');
      await harness.say('from them');
      await reception.until(() => reception.events.length > 0);
    });
    expect(events).toMatchObject([{ parts: [{ text: 'from them' }] }]);
  },

  'what could not be stored is told and offered again': async (harness) => {
    const { events, statuses } = await receiving(harness, async (reception) => {
      reception.refusals = 1;
      await harness.say('keep me');
      await reception.until(() => reception.statuses.at(-1)?.state === 'unhealthy');
      expect(reception.events).toEqual([]);
      await harness.pass(PAUSE_MS);
      await reception.until(() => reception.events.length > 0);
      await reception.connected();
    });
    expect(events).toMatchObject([{ parts: [{ text: 'keep me' }] }]);
    expect(statuses.find(({ state }) => state === 'unhealthy')?.detail).toBeTruthy();
  },
};
