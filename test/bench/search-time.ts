/** Full-text search over a long past: 100,000 messages of 200 sessions, through the store as the gateway uses it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionScope } from '../../src/core/archive.js';
import { toPlatformId, toSessionId, toSessionKey, toUserId } from '../../src/core/ids.js';
import type { Stores } from '../../src/core/stores.js';
import { openSqliteStores } from '../../src/store/index.js';
import { percentile } from './percentile.js';
import { quietLogger } from './quiet-logger.js';
import { seedSession } from './seed-session.js';

export interface SearchTime {
  readonly messages: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const MESSAGES = 100_000;
const SESSIONS = 200;
const QUERIES = 200;

/** Words that most messages have, that few have, a phrase, a beginning, and Chinese ones of two characters. */
const queries: readonly string[] = [
  'garden',
  'number 4711',
  'rain in spring',
  'gard',
  '天气',
  '天气 4711',
  'n77',
];

export async function measureSearch(): Promise<SearchTime> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-search-'));
  const stores = await openSqliteStores({
    file: join(folder, 'state.db'),
    now: () => Date.now(),
    logger: quietLogger,
  });
  try {
    // Side by side, since writes of one tick share a commit.
    await Promise.all(Array.from({ length: SESSIONS }, (_, session) => seed(stores, session)));
    // The first one brings what was just said into the index, which a gateway does as it is said.
    await stores.archive.search('garden', { scope: { type: 'all' }, limit: 1 });
    const times: number[] = [];
    for (let index = 0; index < QUERIES; index += 1) times.push(await searchMs(stores, index));
    return { messages: MESSAGES, p50Ms: percentile(times, 50), p99Ms: percentile(times, 99) };
  } finally {
    await stores.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const personOf = (session: number) => ({
  platform: toPlatformId('telegram'),
  user: toUserId(String(session % 50)),
});

function seed(stores: Stores, session: number): Promise<void> {
  return seedSession(stores, {
    id: toSessionId(`ses-${session}`),
    key: toSessionKey(`key-${session}`),
    person: personOf(session),
    count: MESSAGES / SESSIONS,
  });
}

/** The person's own past, as the tool looks through it, and everything, as an owner may, in turns. */
async function searchMs(stores: Stores, index: number): Promise<number> {
  const own: SessionScope = {
    type: 'own',
    person: personOf(index),
    session: toSessionId(`ses-${index % SESSIONS}`),
  };
  const scope: SessionScope = index % 2 === 0 ? own : { type: 'all' };
  const startedAt = performance.now();
  const found = await stores.archive.search(queries[index % queries.length] ?? '', { scope, limit: 20 });
  const tookMs = performance.now() - startedAt;
  if (index % queries.length === 0 && found.length === 0) throw new Error('what was said is not found');
  return tookMs;
}
