import type { CorrelationId } from '../core/ids.js';
import type { MediaStore } from '../core/media.js';
import type { Cause, Delivery, DeliveryOutcome } from '../core/outbound.js';
import type { StoredFile } from '../core/parts.js';
import type { Route } from '../core/route.js';
import type { Caller, MessagingService, TargetCheck, ToolDelivery } from '../core/tool.js';
import { createTargetNames } from './directory/labels.js';
import type { Dispatcher } from './outbound/dispatcher.js';
import {
  isOwnChatOrHome,
  type ResolveContext,
  type ResolvedTarget,
  resolveTargets,
} from './outbound/resolve.js';
import type { Speaker } from './speaker.js';

interface MessagingDeps {
  readonly speaker: Speaker;
  readonly media: Pick<MediaStore, 'copy' | 'release'>;
  /** Aborts when the gateway stops. */
  readonly signal: AbortSignal;
  readonly dispatcher: Dispatcher;
  /** Deliveries whose key begins with this, oldest first. */
  sentBefore(key: string): Promise<readonly Delivery[]>;
  /** Without a caller: for an operator. */
  context(caller?: Caller): ResolveContext;
  newCorrelation(): CorrelationId;
}

interface DeliverRequest {
  readonly targets: string;
  readonly text: string;
  /** Spooled files; each target gets copies of its own, and these are forgotten. */
  readonly files?: readonly StoredFile[];
  readonly key: string;
  readonly cause: Cause;
  /** What `origin` means; absent: nothing. */
  readonly origin?: Route;
  /** Ties the deliveries to what caused them; absent for an operator, whose request begins with itself. */
  readonly correlation?: CorrelationId;
}

export interface Messaging extends MessagingService {
  /** The same for an operator, who has no origin. */
  deliver(
    request: DeliverRequest,
    options: { readonly signal: AbortSignal },
  ): Promise<readonly ToolDelivery[]>;
  /** Where targets would lead for a job that was made in `origin`. */
  resolve(targets: string, origin?: Route): TargetCheck;
}

const toDelivery = (target: string, outcomes: readonly (DeliveryOutcome | undefined)[]): ToolDelivery => {
  const known = outcomes.filter((outcome) => outcome !== undefined);
  for (const outcome of known) {
    if (outcome.state !== 'sent') return { target, state: outcome.state, detail: outcome.error };
  }
  if (known.length < outcomes.length)
    return { target, state: 'waiting', detail: 'It waits in the outbox and is sent when possible.' };
  const ids = known.flatMap((outcome) => (outcome.state === 'sent' ? outcome.receipt.messages : []));
  return { target, state: 'sent', detail: ids.join(' ') };
};

/** Undefined as soon as the signal aborts; the message stays in the outbox and goes its way. */
const orAborted = (
  outcome: Promise<DeliveryOutcome>,
  signal: AbortSignal,
): Promise<DeliveryOutcome | undefined> =>
  new Promise((resolve) => {
    const onAbort = (): void => resolve(undefined);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    return void outcome.then((value) => {
      signal.removeEventListener('abort', onAbort);
      resolve(value);
    });
  });

const withOrigin = (context: ResolveContext, origin: Route | undefined): ResolveContext =>
  origin === undefined ? context : { ...context, origin };

const endOf = ({ state, receipt, error = '' }: Delivery): DeliveryOutcome | undefined => {
  if (state === 'sent' && receipt !== undefined) return { state, receipt };
  return state === 'failed' || state === 'unknown' ? { state, error } : undefined;
};

export const createMessaging = (deps: MessagingDeps): Messaging => {
  /** What became, or becomes, of a saying that was stored by an earlier life. */
  const again = async (target: string, key: string, signal: AbortSignal): Promise<ToolDelivery> => {
    const rows = await deps.sentBefore(`${key}/`);
    if (rows.length === 0) return { target, state: 'failed', detail: 'There is nothing to send.' };
    const outcomes = rows.map((row) => endOf(row) ?? orAborted(deps.dispatcher.outcome(row.id), signal));
    return toDelivery(target, await Promise.all(outcomes));
  };
  const sendOne = async (
    { target, route }: ResolvedTarget,
    { text, files = [], key, cause, correlation = deps.newCorrelation() }: DeliverRequest,
    signal: AbortSignal,
  ): Promise<ToolDelivery> => {
    if (route === undefined) return { target, state: 'sent', detail: 'kept here, sent nowhere' };
    const copies = await Promise.all(files.map((file) => deps.media.copy(file, { signal: deps.signal })));
    const { rows, problems } = await deps.speaker.prepare({
      route,
      text,
      files: copies,
      key: `${key}/${target}`,
      cause,
      correlation,
    });
    if (rows.length === 0 && cause.kind === 'job') return again(target, `${key}/${target}`, signal);
    if (rows.length === 0)
      return { target, state: 'failed', detail: 'There is nothing to send, or it was sent before.' };
    const outcomes = rows.map(({ id }) => orAborted(deps.dispatcher.outcome(id), signal));
    deps.dispatcher.dispatch(rows);
    const delivery = toDelivery(target, await Promise.all(outcomes));
    return problems.length === 0
      ? delivery
      : { ...delivery, detail: [delivery.detail, ...problems].join(' – ') };
  };
  const sendAll = async (request: DeliverRequest, context: ResolveContext, signal: AbortSignal) => {
    const resolution = resolveTargets(request.targets, context);
    if (!resolution.ok)
      return [{ target: request.targets, state: 'failed' as const, detail: resolution.problem }];
    try {
      return await Promise.all(resolution.targets.map((target) => sendOne(target, request, signal)));
    } finally {
      await deps.media.release((request.files ?? []).map(({ path }) => path));
    }
  };
  return {
    check: (targets, caller) => {
      const context = deps.context(caller);
      const resolution = resolveTargets(targets, context);
      if (!resolution.ok) return resolution;
      const isOwn = resolution.targets.every(
        ({ route }) => route === undefined || isOwnChatOrHome(route, context),
      );
      return { ok: true, isOwnChatOrHome: isOwn };
    },
    targets: (caller) => {
      const { chats = [] } = deps.context(caller);
      const nameOf = createTargetNames(chats);
      return chats.map((chat) => ({
        target: nameOf(chat),
        id: `${chat.platform}:${chat.chat}`,
        kind: chat.kind,
      }));
    },
    send: (request, caller, { signal }) =>
      sendAll({ ...request, cause: { kind: 'tool' } }, deps.context(caller), signal),
    deliver: (request, { signal }) => sendAll(request, withOrigin(deps.context(), request.origin), signal),
    resolve: (targets, origin) => {
      const resolution = resolveTargets(targets, withOrigin(deps.context(), origin));
      return resolution.ok ? { ok: true, isOwnChatOrHome: false } : resolution;
    },
  };
};
