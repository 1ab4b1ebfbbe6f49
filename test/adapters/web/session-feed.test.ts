import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventStream } from '../../../src/adapters/web/event-stream.js';
import { Hub } from '../../../src/adapters/web/hub.js';
import { formatPosition, noBoot, parsePosition } from '../../../src/adapters/web/ids.js';
import type { FeedLimits, SessionFeed } from '../../../src/adapters/web/session-feed.js';
import { toMessageData, toStepData } from '../../../src/adapters/web/stream-events.js';
import { toMessageId, toToolCallId, toTurnId } from '../../../src/core/ids.js';
import type { PageLogStore } from '../../../src/core/page-log.js';
import type { TurnEvent } from '../../../src/core/turn.js';
import { createMemoryStores } from '../../../src/store/index.js';
import { type Conversation, conversationModule } from './page/modules.js';
import { type ReceivedEvent, told, usage } from './support.js';

const session = 'main';
const largeLimits: FeedLimits = { runningUnits: 1_000_000, endedUnits: 1_000_000 };

/** A client whose connection may lose what was on its way. */
class Client {
  readonly received: ReceivedEvent[] = [];
  lastEventId: string | undefined;
  #stream: EventStream | undefined;

  async connect(feed: SessionFeed): Promise<void> {
    const stream = new EventStream({ maxWaitingBytes: 10_000_000, cut: () => {}, onClosed: () => {} });
    this.#stream = stream;
    await feed.join(stream, this.lastEventId === undefined ? undefined : parsePosition(this.lastEventId));
  }

  /** Ends the connection; of what was sent only the share `kept` arrived. */
  async disconnect(kept = 1): Promise<void> {
    this.#stream?.end();
    const text = await new Response(this.#stream?.body).text();
    const frames = text.split('\n\n').filter((frame) => frame !== '');
    for (const frame of frames.slice(0, Math.ceil(frames.length * kept))) {
      const [id = '', event = '', data = ''] = frame
        .split('\n')
        .map((line) => line.slice(line.indexOf(': ') + 2));
      this.received.push({ id, event, data: JSON.parse(data) as Record<string, unknown> });
      this.lastEventId = id;
    }
  }
}

const contentOf = (events: readonly ReceivedEvent[]) => events.map(({ event, data }) => ({ event, data }));

type Operation =
  | { readonly type: 'tell'; readonly event: TurnEvent }
  | { readonly type: 'store'; readonly role: 'user' | 'assistant'; readonly text: string };

let messageCount = 0;

const perform = async (feed: SessionFeed, operation: Operation): Promise<void> => {
  if (operation.type === 'tell') return feed.publish(operation.event);
  const { role, text } = operation;
  messageCount += 1;
  await feed.append({ message: toMessageId(`m-${messageCount}`), role, text, at: messageCount });
};

const turn = toTurnId('turn-1');
const tool = { call: 'call-1' as never, name: 'todo', summary: '', turn };

const withinTurn: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .string({ minLength: 1, maxLength: 6 })
      .map((text) => told.delta(text))
      .map(tell),
  },
  { weight: 1, arbitrary: fc.constant(tell(told.reset())) },
  { weight: 1, arbitrary: fc.constant(tell({ type: 'tool-start', ...tool })) },
  { weight: 1, arbitrary: fc.constant(tell({ type: 'tool-end', ...tool, isError: false })) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('store' as const),
      role: fc.constantFrom('user' as const, 'assistant' as const),
      text: fc.string({ minLength: 1, maxLength: 6 }),
    }),
  },
);

function tell(event: TurnEvent): Operation {
  return { type: 'tell', event };
}

const aRun = fc.record({
  operations: fc
    .array(withinTurn, { maxLength: 25 })
    .map((middle) => [tell(told.start()), ...middle, tell(told.end())]),
  /** After how many operations the connection breaks, and which share of what was sent then arrived. */
  breaks: fc.array(
    fc.record({ after: fc.nat({ max: 27 }), kept: fc.double({ min: 0, max: 1, noNaN: true }) }),
    {
      maxLength: 5,
    },
  ),
});

describe('one turn', () => {
  test('reaches a client that breaks off anywhere exactly as it reaches one that never does', async () => {
    await fc.assert(
      fc.asyncProperty(aRun, async ({ operations, breaks }) => {
        const hub = new Hub({ pageLog: createMemoryStores().pageLog, limits: largeLimits });
        const feed = hub.feed(session);
        const [steady, shaky] = [new Client(), new Client()];
        await steady.connect(feed);
        await shaky.connect(feed);
        await shaky.disconnect();
        await shaky.connect(feed);
        for (const [index, operation] of operations.entries()) {
          await perform(feed, operation);
          for (const { kept } of breaks.filter(({ after }) => after === index)) {
            await shaky.disconnect(kept);
            await shaky.connect(feed);
          }
        }
        await steady.disconnect();
        await shaky.disconnect();
        expect(contentOf(shaky.received)).toEqual(contentOf(steady.received));
      }),
      { numRuns: 200 },
    );
  });

  test('survives a break after every single event', async () => {
    const script: Operation[] = [
      { type: 'store', role: 'user', text: 'question' },
      tell(told.start()),
      tell(told.delta('a')),
      tell({ type: 'tool-start', ...tool }),
      { type: 'store', role: 'assistant', text: 'a' },
      tell({ type: 'tool-end', ...tool, isError: true }),
      tell(told.delta('x')),
      tell(told.reset()),
      tell(told.delta('b')),
      { type: 'store', role: 'assistant', text: 'b' },
      tell(told.end()),
    ];
    const hub = new Hub({ pageLog: createMemoryStores().pageLog });
    const feed = hub.feed(session);
    const steady = new Client();
    await steady.connect(feed);
    await steady.disconnect();
    const first = steady.lastEventId;
    await steady.connect(feed);
    for (const operation of script) await perform(feed, operation);
    await steady.disconnect();
    const whole = steady.received.slice(1);
    expect(whole.map(({ event }) => event).join(' ')).toBe(
      'message status delta tool message tool delta delta delta message status',
    );
    for (const [index, { id }] of [{ id: first }, ...whole].entries()) {
      const client = new Client();
      client.lastEventId = id;
      await client.connect(feed);
      await client.disconnect();
      expect(client.received).toEqual(whole.slice(index));
    }
  });
});

/** What a page would show: its stored messages, the text being written, and whether somebody works. */
const shown = ({ items, isWorking }: Conversation) => ({
  messages: items.filter(({ kind }) => kind === 'message').map(({ id }) => id),
  draft: items.findLast(({ kind, isOpen }) => kind === 'draft' && isOpen)?.text ?? '',
  isWorking,
});

const { applyEvent, createConversation, prependHistory } = conversationModule;

const freshPage = async (feed: SessionFeed): Promise<Conversation> => {
  const { messages, steps, sequence } = await feed.history({ limit: 500 });
  const conversation = createConversation();
  const past = messages.filter((message) => message.sequence <= sequence);
  prependHistory(conversation, past.map(toMessageData), steps.map(toStepData));
  const client = new Client();
  client.lastEventId = formatPosition({ sequence, boot: noBoot, number: 0 });
  await client.connect(feed);
  await client.disconnect();
  for (const { event, data } of client.received) applyEvent(conversation, event, data);
  return conversation;
};

describe('a page that is opened later', () => {
  const calls = (name: string): Operation[] => [
    tell({ type: 'tool-start', ...tool, call: toToolCallId(name), name }),
    tell({ type: 'tool-end', ...tool, call: toToolCallId(name), name, isError: name === 'bad' }),
  ];
  const say = (text: string): Operation => ({ type: 'store', role: 'assistant', text });
  const ask: Operation = { type: 'store', role: 'user', text: 'go' };
  const seen = ({ items }: Conversation) =>
    items.map(({ kind, text, name, state }) => (kind === 'tool' ? `${name} ${state}` : `${kind} ${text}`));

  test.each<[string, readonly Operation[], readonly string[]]>([
    [
      'calls and the answer',
      [ask, tell(told.start()), ...calls('a'), ...calls('bad'), say('Done.'), tell(told.end())],
      ['message go', 'a finished', 'bad failed', 'message Done.'],
    ],
    [
      'a text before a call that is stored after it',
      [ask, tell(told.start()), tell(told.delta('I look.')), ...calls('a'), say('I look.'), say('Done.')],
      ['message go', 'message I look.', 'a finished', 'message Done.'],
    ],
    [
      'a turn that was stopped before it said anything',
      [ask, tell(told.start()), ...calls('a'), tell(told.end('cancelled'))],
      ['message go', 'a finished'],
    ],
    [
      'a word of the person between',
      [ask, tell(told.start()), ...calls('a'), ask, ...calls('b'), say('Done.'), tell(told.end())],
      ['message go', 'a finished', 'message go', 'b finished', 'message Done.'],
    ],
  ])('shows what the one that was open shows: %s', async (_, script, expected) => {
    const feed = new Hub({ pageLog: createMemoryStores().pageLog }).feed(session);
    const open = new Client();
    await open.connect(feed);
    for (const operation of script) await perform(feed, operation);
    await open.disconnect();
    const live = createConversation();
    for (const { event, data } of open.received) applyEvent(live, event, data);
    expect(seen(live)).toEqual(expected);
    expect(seen(await freshPage(feed))).toEqual(expected);
  });
});

const step = fc.oneof(
  { weight: 12, arbitrary: withinTurn },
  { weight: 2, arbitrary: fc.constant('next-turn' as const) },
  { weight: 2, arbitrary: fc.constant('end-turn' as const) },
  { weight: 2, arbitrary: fc.constant('restart' as const) },
  {
    weight: 3,
    arbitrary: fc.record({ kept: fc.double({ min: 0, max: 1, noNaN: true }), stays: fc.boolean() }),
  },
);

describe('many turns and restarts', () => {
  test('leave a client that resumes with what a freshly opened page shows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        fc.constantFrom(
          largeLimits,
          { runningUnits: 400, endedUnits: 200 },
          { runningUnits: 0, endedUnits: 0 },
        ),
        async (steps, limits) => {
          const { pageLog } = createMemoryStores();
          const life = new Life(pageLog, limits);
          const client = new Client();
          // What a page gets with the history of a new session.
          client.lastEventId = formatPosition({ sequence: 0, boot: noBoot, number: 0 });
          let isConnected = true;
          await client.connect(life.feed);
          for (const it of steps) {
            if (it === 'restart') {
              if (isConnected) await client.disconnect();
              life.restart();
              if (isConnected) await client.connect(life.feed);
            } else if (it === 'next-turn') life.nextTurn();
            else if (it === 'end-turn') life.endTurn();
            else if ('kept' in it) {
              if (isConnected) await client.disconnect(it.kept);
              isConnected = it.stays;
              if (isConnected) await client.connect(life.feed);
            } else await life.perform(it);
          }
          if (!isConnected) await client.connect(life.feed);
          await client.disconnect();

          const messages = client.received.filter(({ event }) => event === 'message');
          const stored = await pageLog.since(session, 0);
          expect(messages.map(({ data }) => data['messageId'])).toEqual(stored.map(({ message }) => message));
          const conversation = createConversation();
          for (const { event, data } of client.received) applyEvent(conversation, event, data);
          const fresh = shown(await freshPage(life.feed));
          expect({ ...shown(conversation), messages: [] }).toEqual({ ...fresh, messages: [] });
          expect([...shown(conversation).messages].sort()).toEqual([...fresh.messages].sort());
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** The daemon's side over several lives: a turn that a restart cut off begins again under its name. */
class Life {
  readonly #pageLog: PageLogStore;
  readonly #limits: FeedLimits;
  #hub: Hub;
  #turns = 0;
  #isRunning = false;

  constructor(pageLog: PageLogStore, limits: FeedLimits) {
    this.#pageLog = pageLog;
    this.#limits = limits;
    this.#hub = new Hub({ pageLog, limits });
  }

  get feed(): SessionFeed {
    return this.#hub.feed(session);
  }

  restart(): void {
    this.#hub = new Hub({ pageLog: this.#pageLog, limits: this.#limits });
    if (this.#isRunning) this.feed.publish(told.start(this.#turn));
  }

  nextTurn(): void {
    this.endTurn();
    this.#turns += 1;
    this.#isRunning = true;
    this.feed.publish(told.start(this.#turn));
  }

  endTurn(): void {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    this.feed.publish({ type: 'turn-end', turn: this.#turn, reason: 'end_turn', text: '', usage, steps: 1 });
  }

  async perform(operation: Operation): Promise<void> {
    if (operation.type === 'store') return perform(this.feed, operation);
    if (this.#isRunning) this.feed.publish({ ...operation.event, turn: this.#turn });
  }

  get #turn() {
    return toTurnId(`turn-${this.#turns}`);
  }
}

describe('a feed', () => {
  const create = () => {
    const { pageLog } = createMemoryStores();
    return { pageLog, feed: new Hub({ pageLog }).feed(session) };
  };
  const message = (id: string) => ({ message: toMessageId(id), role: 'user' as const, text: id, at: 0 });

  test('tells a message once, however often it is stored', async () => {
    const { feed } = create();
    const client = new Client();
    await client.connect(feed);
    const [first, second] = [await feed.append(message('a')), await feed.append(message('a'))];
    expect(second).toEqual(first);
    await client.disconnect();
    expect(client.received.filter(({ event }) => event === 'message')).toHaveLength(1);
  });

  test('announces messages in the order of their sequence, however they overlap', async () => {
    const { pageLog } = create();
    // The first write is the slowest.
    const slow: PageLogStore = {
      ...pageLog,
      append: async (event) => {
        const stored = await pageLog.append(event);
        if (event.message === 'a') await new Promise((resolve) => setImmediate(resolve));
        return stored;
      },
    };
    const feed = new Hub({ pageLog: slow }).feed(session);
    const client = new Client();
    await client.connect(feed);
    await Promise.all([feed.append(message('a')), feed.append(message('b')), feed.append(message('c'))]);
    await client.disconnect();
    const sequences = client.received.slice(1).map(({ id }) => parsePosition(id)?.sequence);
    expect(sequences).toEqual([1, 2, 3]);
  });

  test('tells a question before the turn that answers it', async () => {
    const { feed } = create();
    const client = new Client();
    await client.connect(feed);
    await feed.append(message('question'), async () => {
      feed.publish(told.start());
      feed.publish(told.delta('answer'));
      return true;
    });
    await client.disconnect();
    expect(client.received.map(({ event }) => event)).toEqual(['status', 'message', 'status', 'delta']);
  });

  test('lets a page that is opened during a turn show each text once', async () => {
    const { feed } = create();
    await feed.append(message('question'));
    feed.publish(told.start());
    feed.publish(told.delta('first step'));
    feed.publish({ type: 'tool-start', ...tool });
    await feed.append({ ...message('answer'), role: 'assistant', text: 'first step' });
    feed.publish(told.delta('second step'));
    const { items } = await freshPage(feed);
    expect(items.map(({ kind, text }) => [kind, text])).toEqual([
      ['message', 'question'],
      ['message', 'first step'],
      ['tool', undefined],
      ['draft', 'second step'],
    ]);
  });

  test('stores nothing where the gate says no', async () => {
    const { feed, pageLog } = create();
    expect(await feed.append(message('a'), async () => false)).toBeUndefined();
    expect(await pageLog.since(session, 0)).toEqual([]);
  });

  test('goes on after a failed write', async () => {
    const { pageLog } = create();
    let isBroken = true;
    const failing: PageLogStore = {
      ...pageLog,
      append: async (event) => {
        if (isBroken) throw new Error('the disk is full');
        return pageLog.append(event);
      },
    };
    const feed = new Hub({ pageLog: failing }).feed(session);
    const client = new Client();
    await client.connect(feed);
    await expect(feed.append(message('a'))).rejects.toThrow('the disk is full');
    feed.publish(told.start());
    isBroken = false;
    await feed.append(message('a'));
    await client.disconnect();
    expect(client.received.map(({ event }) => event)).toEqual(['status', 'status', 'message']);
  });
});
