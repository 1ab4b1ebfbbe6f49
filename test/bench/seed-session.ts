import type { Person } from '../../src/core/archive.js';
import {
  type SessionId,
  type SessionKey,
  toAccountId,
  toChatId,
  toCorrelationId,
  toPlatformId,
  toTurnId,
  toUserId,
} from '../../src/core/ids.js';
import type { Stores, TurnRecord } from '../../src/core/stores.js';

export interface SeededSession {
  readonly id: SessionId;
  readonly key: SessionKey;
  readonly person: Person;
  /** Messages, even. */
  readonly count: number;
}

/** A conversation as if it had been held: as many messages of the person as answers, some hundred characters each. */
export async function seedSession(stores: Stores, { id, key, person, count }: SeededSession): Promise<void> {
  await stores.sessions.begin({
    id,
    key,
    person,
    system: 'You are a helpful assistant.',
    createdAt: Date.now(),
  });
  for (let index = 0; index < count; index += 2) {
    const turn = aTurn(id, key, index);
    await stores.turns.begin(turn, { entries: [], messages: [{ role: 'user', text: textOf(index) }] });
    const message = { role: 'assistant', text: textOf(index + 1), toolCalls: [] } as const;
    await stores.turns.end(turn.id, { message, deliveries: [] });
  }
}

const aTurn = (session: SessionId, sessionKey: SessionKey, index: number): TurnRecord => ({
  id: toTurnId(`${session}/${index}`),
  session,
  sessionKey,
  caller: {
    origin: {
      platform: toPlatformId('telegram'),
      account: toAccountId('1'),
      chat: toChatId('1'),
      chatKind: 'direct',
    },
    user: toUserId('1'),
    isOwner: false,
  },
  correlation: toCorrelationId('seed'),
  startedAt: Date.now(),
  attempts: 1,
});

const weather = ['rain in spring', 'wind in autumn', '今天天气很好', 'snow in March', 'sun all day'];

/** No two alike; some words are in most of them, some in few. */
const textOf = (index: number): string =>
  `n${index % 1000}: what I saw in the garden, number ${(index * 7919) % 10_007}: ${weather[index % weather.length]}, and after it ` +
  `the ${index % 97}th day of looking for the right place.`;
