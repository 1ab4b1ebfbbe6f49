import { expect, test } from 'vitest';
import { toTurnId } from '../../../src/core/ids.js';
import type { PlatformAdapter } from '../../../src/core/platform.js';
import type { TurnEvent } from '../../../src/core/turn.js';
import { TurnRelay } from '../../../src/gateway/sessions/relay.js';
import { aMessage } from '../../fakes/builders.js';

const turn = toTurnId('turn-1');

test('ME-08 a page that follows a turn never sees a directive', () => {
  const told: TurnEvent[] = [];
  // The relay asks an adapter for nothing else.
  const adapter = { progress: { publish: (_route, event) => told.push(event) } } as Pick<
    PlatformAdapter,
    'progress'
  > as PlatformAdapter;
  const relay = new TurnRelay({
    route: aMessage().origin,
    adapter,
    redact: (text) => text,
    createPreview: () => undefined,
  });
  for (const text of ['Done. ', 'MED', 'IA:/ws/o', 'ut.p', 'ng', '\nBye', ' [[audio_', 'as_voice]]'])
    relay.show({ type: 'text-delta', turn, text });
  relay.show({ type: 'step-end', turn, text: '' });
  const shown = told.map((event) => (event.type === 'text-delta' ? event.text : ''));
  expect(shown.join('')).toBe('Done.\nBye');
  relay.show({ type: 'text-reset', turn });
  relay.show({ type: 'text-delta', turn, text: 'The media wrote: yes. ' });
  expect(told.at(-1)).toMatchObject({
    type: 'text-delta',
    text: expect.stringContaining('The media wrote:'),
  });
});
