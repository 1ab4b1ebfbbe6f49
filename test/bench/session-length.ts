/**
 * What a turn costs in conversations of different length, side by side in one gateway whose model takes 32,000 tokens: a
 * session that has run for a year must answer like one of today.
 */
import { join } from 'node:path';
import { toPlatformId, toSessionId, toSessionKey, toUserId } from '../../src/core/ids.js';
import { openSqliteStores } from '../../src/store/index.js';
import { text } from '../emulators/openai/control.js';
import { ask, latenciesOf, readAnswers, textOf } from './load.js';
import { percentile } from './percentile.js';
import { quietLogger } from './quiet-logger.js';
import { seedSession } from './seed-session.js';
import { type FarSide, gatewaySubject, type Subject, startSubject, type World } from './subject.js';

export interface SessionLengthTime {
  /** Messages before the measured ones. */
  readonly length: number;
  readonly p50Ms: number;
  /** Messages in the last request to the model. */
  readonly sent: number;
}

const LENGTHS: readonly number[] = [10, 500, 5000];
/** Short ones grow while they are measured, so there are several of each length. */
const CHATS = 10;
const FIRST_CHAT = 5001;
const WARM_TURNS = 20;
/** Words of the request by which the agent has a session summed up. */
const SUMMARY_MARK = 'You keep the memory of a chat assistant';

const chatOf = (length: number, index: number): number =>
  FIRST_CHAT + LENGTHS.indexOf(length) * CHATS + (index % CHATS);

export async function measureSessionLengths(
  distMain: string,
  far: FarSide,
  turns: number,
): Promise<readonly SessionLengthTime[]> {
  const running = await startSubject(
    seeded(gatewaySubject('gateway', distMain, { agent: { context_tokens: 32_000 } })),
    far,
  );
  const { world } = running;
  try {
    await world.openai.always({ anyText: SUMMARY_MARK }, text('Facts - the garden was looked at every day.'));
    await world.telegram.waitForPoll();
    for (let index = 0; index < WARM_TURNS + turns; index += 1)
      for (const length of LENGTHS) await ask(world, chatOf(length, index), textOf(kindOf(length), index));
    const answers = await readAnswers(world);
    return await Promise.all(
      LENGTHS.map(async (length) => {
        const latencies = latenciesOf(answers, kindOf(length), WARM_TURNS + turns).slice(WARM_TURNS);
        const last = textOf(kindOf(length), WARM_TURNS + turns - 1);
        return { length, p50Ms: percentile(latencies, 50), sent: await countSent(world, last) };
      }),
    );
  } finally {
    await running.stop();
  }
}

/** Proof that the conversation was there: how many messages went along with this one. */
async function countSent({ openai }: World, userText: string): Promise<number> {
  const [request] = await openai.requests({ userText });
  // The emulator refuses a request without them.
  const body = request?.body as { readonly messages: readonly unknown[] } | undefined;
  return body?.messages.length ?? Number.NaN;
}

const kindOf = (length: number): string => `s${length}x`;

/** The same program with conversations in its home. */
const seeded = (subject: Subject): Subject => ({
  name: subject.name,
  command: async (world, folder) => {
    const file = join(folder, 'state.db');
    const stores = await openSqliteStores({ file, now: () => Date.now(), logger: quietLogger });
    await Promise.all(
      LENGTHS.flatMap((length) =>
        Array.from({ length: CHATS }, (_, index) => {
          const chat = String(chatOf(length, index));
          return seedSession(stores, {
            id: toSessionId(`ses-${chat}`),
            key: toSessionKey(`agent:main:telegram:direct:${chat}`),
            person: { platform: toPlatformId('telegram'), user: toUserId(chat) },
            count: length,
          });
        }),
      ),
    );
    await stores.close();
    return subject.command(world, folder);
  },
});
