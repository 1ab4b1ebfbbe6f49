/** A running page on a free port, and clients that speak plain HTTP to it. */
import { request as httpRequest } from 'node:http';
import { type WebSection, webSection } from '../../../src/adapters/web/config.js';
import { buildFace } from '../../../src/adapters/web/face.js';
import { toTurnId } from '../../../src/core/ids.js';
import type { AcceptOutcome, InboundEvent, InboundSink } from '../../../src/core/inbound.js';
import type { PageLogStore } from '../../../src/core/page-log.js';
import type { ConnectionStatus } from '../../../src/core/platform.js';
import type { GatewayServices, GatewayStatus } from '../../../src/core/services.js';
import type { TurnEvent } from '../../../src/core/turn.js';
import { createMemoryStores } from '../../../src/store/index.js';
import { createCountingIds } from '../../fakes/counting-ids.js';
import { someGatewayServices } from '../../fakes/gateway-services.js';
import { ManualClock } from '../../fakes/manual-clock.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import { createMemoryMedia } from '../../fakes/memory-media.js';
import { createMemoryNotes } from '../adapter-bed.js';
import { toRouteOf } from './routes.js';

export const aStatus = (changes: Partial<GatewayStatus> = {}): GatewayStatus => ({
  version: '1.2.3',
  pid: 1,
  startedAt: 0,
  model: { provider: 'offline', name: 'demo', isDemo: true },
  adapters: [{ platform: 'web', title: 'Web', state: 'connected', since: 0, disconnects: 0 }],
  queues: {
    runningTurns: 0,
    waitingMessages: 0,
    pendingDeliveries: 0,
    failedDeliveries: 0,
    unknownDeliveries: 0,
  },
  problems: [],
  ...changes,
});

/** Takes events; `answer` decides what becomes of each batch. */
class Inbox implements InboundSink {
  readonly events: InboundEvent[] = [];
  answer: (events: readonly InboundEvent[]) => Promise<readonly AcceptOutcome[]> = async (events) =>
    events.map(() => 'stored');

  async accept(events: readonly InboundEvent[]): Promise<readonly AcceptOutcome[]> {
    const outcomes = await this.answer(events);
    this.events.push(...events);
    return outcomes;
  }
}

export interface PageOptions {
  readonly section?: Partial<WebSection>;
  readonly pageLog?: PageLogStore;
  readonly boot?: string;
  readonly services?: Partial<GatewayServices>;
}

export const createPage = ({ section, pageLog, boot = 'aa', services }: PageOptions = {}) => {
  const clock = new ManualClock();
  const logger = new MemoryLogger();
  const log = pageLog ?? createMemoryStores().pageLog;
  const face = buildFace(
    webSection.parse({ port: 0, ...section }),
    {
      clock,
      logger,
      ids: createCountingIds(),
      redact: (text) => text,
      folder: '/nowhere',
      pageLog: log,
      media: createMemoryMedia(),
      notes: createMemoryNotes(),
      services: someGatewayServices({ status: async () => aStatus(), send: async () => [], ...services }),
    },
    boot,
  );
  return { face, clock, logger, pageLog: log };
};

/** Starts it and waits until it listens. */
export const startPage = async (options: PageOptions = {}) => {
  const page = createPage(options);
  const inbox = new Inbox();
  const statuses: ConnectionStatus[] = [];
  const stopper = new AbortController();
  let onConnected: () => void = () => {};
  const isUp = new Promise<void>((resolve) => {
    onConnected = resolve;
  });
  const ended = page.face.adapter.run(inbox, {
    signal: stopper.signal,
    report: (status) => {
      statuses.push(status);
      if (status.state === 'connected') onConnected();
    },
  });
  await isUp;
  const url = page.face.url() ?? '';
  const fetchJson = async (path: string, init?: RequestInit) => {
    const response = await fetch(new URL(path, url), init);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
  return {
    ...page,
    inbox,
    statuses,
    url,
    port: Number(new URL(url).port),
    get: (path: string, headers: Record<string, string> = {}) => fetchJson(path, { headers }),
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetchJson(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    publish: (session: string, event: TurnEvent) =>
      page.face.adapter.progress?.publish(toRouteOf(session), event),
    reply: (session: string, text: string, key: string) =>
      page.face.adapter.send(
        { route: toRouteOf(session), encoded: { text, payload: null }, idempotencyKey: key },
        { signal: new AbortController().signal },
      ),
    follow: (session: string, lastEventId?: string) => openStream(url, session, lastEventId),
    stop: async () => {
      stopper.abort(new Error('the test is over'));
      await ended;
    },
  };
};

export type Page = Awaited<ReturnType<typeof startPage>>;

export interface ReceivedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

const parseFrame = (frame: string): ReceivedEvent => {
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'mu').exec(frame)?.[1] ?? '';
  return {
    id: field('id'),
    event: field('event'),
    data: JSON.parse(field('data')) as Record<string, unknown>,
  };
};

/** Follows a session over a connection of its own. */
export const openStream = async (url: string, session: string, lastEventId?: string) => {
  const controller = new AbortController();
  const response = await fetch(new URL(`/api/sessions/${session}/events`, url), {
    headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    signal: controller.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const frames: string[] = [];
  let rest = '';
  /** The next block of the stream, be it an event or a comment; undefined at its end. */
  const nextFrame = async (): Promise<string | undefined> => {
    while (frames.length === 0) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) return undefined;
      rest += chunk.value;
      // A long event comes in many chunks.
      if (!chunk.value.endsWith('\n') && !chunk.value.includes('\n\n')) continue;
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      frames.push(...blocks);
    }
    return frames.shift();
  };
  const next = async (): Promise<ReceivedEvent | undefined> => {
    for (;;) {
      const frame = await nextFrame();
      if (frame === undefined) return undefined;
      if (frame.includes('data: ')) return parseFrame(frame);
    }
  };
  return {
    response,
    nextFrame,
    next,
    take: async (count: number): Promise<ReceivedEvent[]> => {
      const taken: ReceivedEvent[] = [];
      while (taken.length < count) {
        const event = await next();
        if (event === undefined) throw new Error(`the stream ended after ${taken.length} of ${count} events`);
        taken.push(event);
      }
      return taken;
    },
    /** Everything until the stream ends. */
    rest: async (): Promise<ReceivedEvent[]> => {
      const all: ReceivedEvent[] = [];
      for (let event = await next(); event !== undefined; event = await next()) all.push(event);
      return all;
    },
    close: () => controller.abort(),
  };
};

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Written one by one, without a Content-Length unless the headers give one. */
  readonly chunks?: readonly (string | Uint8Array)[];
  readonly socketPath?: string;
  readonly port?: number;
}

/** A request with any headers, also those that fetch keeps for itself. */
export const rawRequest = ({ method = 'GET', chunks = [], ...options }: RawRequest) =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', agent: false, method, ...options }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        body += piece;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    request.on('error', reject);
    for (const chunk of chunks) request.write(chunk);
    request.end();
  });

const turn = toTurnId('turn-1');
export const usage = { inputTokens: 1, outputTokens: 1 };

/** A turn's events in short. */
export const told = {
  start: (id = turn): TurnEvent => ({ type: 'turn-start', turn: id }),
  delta: (text: string, id = turn): TurnEvent => ({ type: 'text-delta', turn: id, text }),
  reset: (id = turn): TurnEvent => ({ type: 'text-reset', turn: id }),
  end: (reason: 'end_turn' | 'cancelled' = 'end_turn', id = turn): TurnEvent => ({
    type: 'turn-end',
    turn: id,
    reason,
    text: '',
    usage,
    steps: 1,
  }),
};
