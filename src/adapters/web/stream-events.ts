/** Turn events and stored messages in the words of the public event stream. Pure. */
import type { PageEvent, PageStep } from '../../core/page-log.js';
import type { ApprovalEvent, ApprovalOutcome, ShownApproval } from '../../core/permission-service.js';
import type { StopReason, TurnEvent } from '../../core/turn.js';
import { formatPosition, type StreamPosition } from './ids.js';

export type LiveStreamEvent =
  | {
      readonly event: 'delta';
      /** `reset`: the text shown since the last tool or message is void. */
      readonly data: { readonly turnId: string; readonly text: string; readonly reset?: true };
    }
  | {
      readonly event: 'tool';
      readonly data: {
        readonly turnId: string;
        readonly callId: string;
        readonly name: string;
        readonly state: 'started' | 'finished' | 'failed';
        readonly summary: string;
      };
    }
  | {
      readonly event: 'status';
      readonly data: {
        readonly state: 'working' | 'idle';
        readonly turnId?: string;
        readonly stopReason?: StopReason;
        /** What is being waited for, in words. */
        readonly detail?: string;
      };
    }
  | { readonly event: 'permission_request'; readonly data: RequestData }
  | {
      readonly event: 'permission_resolved';
      readonly data: { readonly id: string; readonly outcome: ApprovalOutcome; readonly by?: string };
    }
  | {
      readonly event: 'error';
      readonly data: { readonly code: string; readonly message: string; readonly turnId?: string };
    };

export type RequestData = Omit<ShownApproval, 'platform' | 'chat'>;

export const toRequestData = ({ platform: _platform, chat: _chat, ...data }: ShownApproval): RequestData =>
  data;

export const toPermissionEvent = (event: ApprovalEvent): LiveStreamEvent => {
  if (event.type === 'permission-request')
    return { event: 'permission_request', data: toRequestData(event.request) };
  const { type: _type, ...data } = event;
  return { event: 'permission_resolved', data };
};

export interface StepData {
  readonly turnId: string;
  readonly callId: string;
  readonly name: string;
  /** `ended`: with its turn, and it is not known how. */
  readonly state: 'finished' | 'failed' | 'ended';
  readonly summary: string;
}

export interface MessageData {
  readonly messageId: string;
  readonly replyTo: string | null;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly media: readonly { readonly url: string; readonly name: string; readonly type: string }[];
  /** Tool calls that came right before it. */
  readonly steps?: readonly StepData[];
  /** It says that its turn failed. */
  readonly failed?: true;
  /** Epoch ms. */
  readonly at: number;
}

export type StreamEvent = LiveStreamEvent | { readonly event: 'message'; readonly data: MessageData };

export const toStepData = ({ turn, call, name, state, summary }: PageStep): StepData => ({
  turnId: turn,
  callId: call,
  name,
  state,
  summary,
});

export const toMessageData = (event: PageEvent): MessageData => {
  const { message, replyTo, role, text, media, steps, isFailure, at } = event;
  return {
    messageId: message,
    replyTo: replyTo ?? null,
    role,
    text,
    media: (media ?? []).map(({ id, name, type }) => ({
      // With its own name, for whoever saves it; the id is made up.
      url: `/api/media/${encodeURIComponent(id)}?name=${encodeURIComponent(name)}`,
      name,
      type,
    })),
    ...(steps !== undefined && { steps: steps.map(toStepData) }),
    ...(isFailure && { failed: isFailure }),
    at,
  };
};

/** What a page is told of a turn event; nothing where the stored message says it. */
export const toStreamEvents = (event: TurnEvent): readonly LiveStreamEvent[] => {
  const turnId = event.turn;
  switch (event.type) {
    case 'turn-start':
      return [{ event: 'status', data: { state: 'working', turnId } }];
    case 'text-delta':
      return event.text === '' ? [] : [{ event: 'delta', data: { turnId, text: event.text } }];
    case 'text-reset':
      return [{ event: 'delta', data: { turnId, text: '', reset: true } }];
    case 'notice':
      return [{ event: 'status', data: { state: 'working', turnId, detail: event.text } }];
    case 'step-end':
      return [];
    case 'tool-start': {
      const { call: callId, name, summary } = event;
      return [{ event: 'tool', data: { turnId, callId, name, state: 'started', summary } }];
    }
    case 'tool-end': {
      const { call: callId, name, summary, isError } = event;
      return [
        { event: 'tool', data: { turnId, callId, name, state: isError ? 'failed' : 'finished', summary } },
      ];
    }
    case 'turn-end': {
      const idle: LiveStreamEvent = {
        event: 'status',
        data: { state: 'idle', turnId, stopReason: event.reason },
      };
      if (event.reason !== 'error') return [idle];
      return [
        { event: 'error', data: { code: event.error?.code ?? 'failed', message: event.text, turnId } },
        idle,
      ];
    }
    default:
      return event satisfies never;
  }
};

/** One event as it stands in the response. JSON has no bare line ends, so the data is always one line. */
export const toFrame = (position: StreamPosition, { event, data }: StreamEvent): string =>
  `id: ${formatPosition(position)}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
