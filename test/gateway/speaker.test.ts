import { describe, expect, test } from 'vitest';
import { toCorrelationId } from '../../src/core/ids.js';
import type { Cause, Delivery } from '../../src/core/outbound.js';
import { createSpeaker } from '../../src/gateway/speaker.js';
import { createMemoryStores } from '../../src/store/memory/memory-stores.js';
import { anOrigin } from '../fakes/builders.js';
import { createCountingIds } from '../fakes/counting-ids.js';
import { ManualClock } from '../fakes/manual-clock.js';
import { ScriptedPlatform } from '../fakes/scripted-platform.js';

const create = ({ isInService = true } = {}) => {
  const { outbox } = createMemoryStores();
  const dispatched: Delivery[] = [];
  const released: string[] = [];
  const speaker = createSpeaker({
    outbox,
    persist: (write) => write(),
    compose: { ids: createCountingIds(), clock: new ManualClock(), redact: (text) => text },
    attach: async (text) => ({
      parts: [{ type: 'text', text: `${text} (with files)` }],
      problems: ['no such file'],
    }),
    release: async (paths) => void released.push(...paths),
    adapterFor: () => (isInService ? new ScriptedPlatform() : undefined),
    dispatch: (rows) => void dispatched.push(...rows),
    outcome: () => Promise.reject(new Error('nobody follows here')),
  });
  return { speaker, outbox, dispatched };
};

const saying = (kind: 'notice' | 'tool' | 'operator') => {
  const cause: Cause = { kind };
  return { route: anOrigin(), text: 'hello', key: 'k1', cause, correlation: toCorrelationId('corr') };
};

describe('a speaker', () => {
  test('stores what it says before it is sent', async () => {
    const { speaker, outbox, dispatched } = create();
    const { rows } = await speaker.prepare(saying('notice'));
    expect(await outbox.unfinished()).toEqual(rows);
    expect(rows).toMatchObject([
      { encoded: { text: 'hello' }, correlation: 'corr', cause: { kind: 'notice' } },
    ]);
    expect(dispatched).toEqual([]);
  });

  test('says the same thing once', async () => {
    const { speaker, dispatched } = create();
    await speaker.say(saying('notice'));
    await speaker.say(saying('notice'));
    expect(dispatched.map(({ encoded }) => encoded.text)).toEqual(['hello']);
  });

  test('attaches files only to what a tool or an operator wrote', async () => {
    for (const kind of ['tool', 'operator'] as const) {
      const { rows, problems } = await create().speaker.prepare(saying(kind));
      expect([rows[0]?.encoded.text, problems]).toEqual(['hello (with files)', ['no such file']]);
    }
    expect((await create().speaker.prepare(saying('notice'))).problems).toEqual([]);
  });

  test('says nothing where the platform is out of service', async () => {
    const { speaker, outbox } = create({ isInService: false });
    expect((await speaker.prepare(saying('notice'))).rows).toEqual([]);
    expect(await outbox.unfinished()).toEqual([]);
  });
});
