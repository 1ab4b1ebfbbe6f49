import type { Context, Hono } from 'hono';
import type { ChatId, MessageId } from '../../core/ids.js';
import type { InboundEvent } from '../../core/inbound.js';
import type { PageEvent, PageMedia } from '../../core/page-log.js';
import type { InboundMediaPart } from '../../core/parts.js';
import type { AdapterPorts } from '../../core/platform-definition.js';
import { type NewMessage, parseNewMessage, parsePage, toInboundMessage, toStopAction } from './decode.js';
import { EventStream } from './event-stream.js';
import type { Bindings, HttpEnv } from './http-env.js';
import { answerProblem, type Checked, failed, type HttpProblem, passed } from './http-problem.js';
import type { Hub } from './hub.js';
import {
  formatPosition,
  noBoot,
  parsePosition,
  parseSession,
  sessionRule,
  toReceivedMessageId,
} from './ids.js';
import { readJsonBody } from './json-body.js';
import { keepFiles } from './media-routes.js';
import { checkSkills } from './skill-routes.js';
import { toMessageData, toStepData } from './stream-events.js';

/** Proxies and browsers give up on a silent connection after a minute or so. */
const KEEP_ALIVE_MS = 15_000;

/** What a slow client may have waiting: more than the largest single message. It resumes after being cut off. */
const MAX_WAITING_BYTES = 4 * 1_048_576;

/** Each holds a connection and a buffer; far more than a person has tabs. */
const MAX_STREAMS = 256;

/** How long a browser waits before it connects again. */
const RETRY_MS = 1_000;

const MAX_SESSIONS = 200;

/** Hands one event to the gateway: kept, or why not. */
export type Deliver = (event: InboundEvent) => Promise<Checked<void>>;

export interface SessionRoutesDeps {
  readonly ports: Pick<AdapterPorts, 'clock' | 'ids' | 'logger' | 'pageLog' | 'media' | 'services'>;
  readonly hub: Hub;
  readonly deliver: Deliver;
  readonly maxBodyBytes: number;
}

type SessionContext = Context<HttpEnv, '/api/sessions/:session/*'>;

const sessionOf = (context: SessionContext): Checked<ChatId> => {
  const session = parseSession(context.req.param('session'));
  if (session !== undefined) return passed(session);
  return failed(400, 'invalid-request', sessionRule);
};

export const addSessionRoutes = (app: Hono<HttpEnv>, deps: SessionRoutesDeps): void => {
  app.get('/api/sessions', async (context) =>
    context.json({ sessions: await deps.ports.pageLog.sessions(MAX_SESSIONS) }),
  );
  app.get('/api/sessions/:session/messages', (context) => listMessages(context, deps));
  app.post('/api/sessions/:session/messages', (context) => takeMessage(context, deps));
  app.post('/api/sessions/:session/cancel', (context) => cancel(context, deps));
  addEventRoute(app, deps);
};

const listMessages = async (context: SessionContext, { hub }: SessionRoutesDeps): Promise<Response> => {
  const session = sessionOf(context);
  const page = session.ok ? parsePage(context.req.query('limit'), context.req.query('before')) : session;
  if (!session.ok) return answerProblem(context, session.problem);
  if (!page.ok) return answerProblem(context, page.problem);
  const { messages, steps, sequence } = await hub.feed(session.value).history(page.value);
  return context.json({
    messages: messages.map(toMessageData),
    ...(steps.length > 0 && { steps: steps.map(toStepData) }),
    // A page that follows the stream is told these again, in their places among what is live.
    retold: messages.filter((message) => message.sequence > sequence).length,
    before: messages.length < page.value.limit ? null : (messages[0]?.sequence ?? null),
    lastEventId: formatPosition({ sequence, boot: noBoot, number: 0 }),
  });
};

const reusedKey: HttpProblem = {
  status: 409,
  code: 'conflict',
  message:
    'This Idempotency-Key was used for another message. Nothing was sent: use a new key for a new message.',
};

/** Files are kept anew with every repeat, so they are compared by what they are called. */
const isSameMessage = (stored: PageEvent, text: string, media: readonly PageMedia[]): boolean => {
  const namesOf = (files: readonly PageMedia[]) =>
    JSON.stringify(files.map(({ name, type }) => [name, type]));
  return stored.text === text && namesOf(stored.media ?? []) === namesOf(media);
};

const takeMessage = async (
  context: SessionContext,
  { ports, hub, deliver, maxBodyBytes }: SessionRoutesDeps,
): Promise<Response> => {
  const session = sessionOf(context);
  if (!session.ok) return answerProblem(context, session.problem);
  const body = await readJsonBody(context, maxBodyBytes);
  const parsed = body.ok ? parseNewMessage(body.value, context.req.header('idempotency-key')) : body;
  if (!parsed.ok) return answerProblem(context, parsed.problem);
  const known = await checkSkills(parsed.value, ports.services);
  if (!known.ok) return answerProblem(context, known.problem);
  const kept = await keepFiles(parsed.value.files, ports.media, { signal: context.env.closing });
  if (!kept.ok) return answerProblem(context, kept.problem);
  const taken = await acceptMessage(
    session.value,
    { ...parsed.value, ...kept.value },
    { ports, hub, deliver },
  );
  return taken.ok ? context.json({ messageId: taken.value }, 202) : answerProblem(context, taken.problem);
};

interface AcceptedMessage extends Pick<NewMessage, 'skills' | 'explicitSkill'> {
  readonly text: string;
  /** By which a resend is recognised. */
  readonly clientKey?: string;
  /** See {@link InboundMessage}. */
  readonly isProgram?: boolean;
  readonly parts: readonly InboundMediaPart[];
  readonly media: readonly PageMedia[];
}

/** Stores what somebody wrote in a session of the page and hands it to the gateway; gives the message's id. */
export const acceptMessage = async (
  session: ChatId,
  { text, clientKey, parts, media, skills, explicitSkill, isProgram }: AcceptedMessage,
  { ports, hub, deliver }: Omit<SessionRoutesDeps, 'maxBodyBytes'>,
): Promise<Checked<MessageId>> => {
  const chosen = {
    ...(skills !== undefined && { skills }),
    ...(explicitSkill !== undefined && { explicitSkill }),
    ...(isProgram === true && { isProgram }),
  };
  const correlation = ports.ids.next('correlation');
  const message = toReceivedMessageId(session, clientKey ?? correlation);
  const at = ports.clock.now();
  let refusal: HttpProblem | undefined;
  const shown = { message, role: 'user' as const, text, at, ...(media.length > 0 && { media }) };
  const stored = await hub.feed(session).append(shown, async () => {
    const outcome = await deliver(
      toInboundMessage({ session, correlation, at }, message, { ...chosen, text, files: parts }),
    );
    if (!outcome.ok) refusal = outcome.problem;
    return outcome.ok;
  });
  if (refusal !== undefined) return { ok: false, problem: refusal };
  // The same key means the same message: another one under it would be lost without a word.
  if (stored !== undefined && !isSameMessage(stored, text, media)) return { ok: false, problem: reusedKey };
  return passed(message);
};

const cancel = async (context: SessionContext, { ports, deliver }: SessionRoutesDeps): Promise<Response> => {
  const session = sessionOf(context);
  if (!session.ok) return answerProblem(context, session.problem);
  const correlation = ports.ids.next('correlation');
  const outcome = await deliver(toStopAction({ session: session.value, correlation, at: ports.clock.now() }));
  return outcome.ok ? context.json({}, 202) : answerProblem(context, outcome.problem);
};

const addEventRoute = (app: Hono<HttpEnv>, { ports, hub }: SessionRoutesDeps): void => {
  const open = new Set<EventStream>();

  const openStream = ({ outgoing, closing }: Bindings): EventStream => {
    const end = (): void => stream.end();
    const stream = new EventStream({
      maxWaitingBytes: MAX_WAITING_BYTES,
      cut: () => void outgoing.destroy(),
      onClosed: () => {
        open.delete(stream);
        closing.removeEventListener('abort', end);
      },
    });
    open.add(stream);
    closing.addEventListener('abort', end, { once: true });
    return stream;
  };

  const keepAlive = async (stream: EventStream): Promise<void> => {
    while (!stream.closed.aborted) {
      await ports.clock.sleep(KEEP_ALIVE_MS, { signal: stream.closed });
      stream.send(': keep-alive\n\n');
    }
  };

  app.get('/api/sessions/:session/events', async (context) => {
    const session = sessionOf(context);
    if (!session.ok) return answerProblem(context, session.problem);
    if (open.size >= MAX_STREAMS) {
      const problem = failed(503, 'too-many-streams', 'Too many pages are open at once. Close some of them.');
      return answerProblem(context, problem.problem);
    }
    // Node has to write at once, and not wait for a second chunk to find out the length.
    const headers = {
      'content-type': 'text/event-stream; charset=utf-8',
      'transfer-encoding': 'chunked',
      'x-accel-buffering': 'no',
    };
    if (context.req.method === 'HEAD') return context.body(null, 200, headers);
    const lastId = context.req.header('last-event-id') || context.req.query('lastEventId');
    const stream = openStream(context.env);
    stream.replay([`retry: ${RETRY_MS}\n\n`]);
    try {
      await hub.feed(session.value).join(stream, lastId === undefined ? undefined : parsePosition(lastId));
    } catch (error) {
      stream.cut();
      throw error;
    }
    // Ends by the stream's own signal, which is no failure.
    keepAlive(stream).catch(() => {});
    return context.body(stream.body, 200, headers);
  });
};
