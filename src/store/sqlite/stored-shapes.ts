/** The shapes of what is stored as JSON. They are the words of core, checked once more when read. */
import * as z from 'zod';
import type { ApprovalRequest } from '../../core/approval.js';
import type { Person } from '../../core/archive.js';
import type { Grant } from '../../core/grant.js';
import {
  toAccountId,
  toChatId,
  toCorrelationId,
  toMessageId,
  toPlatformId,
  toSessionId,
  toThreadId,
  toToolCallId,
  toTurnId,
  toUserId,
} from '../../core/ids.js';
import type { InboundEvent } from '../../core/inbound.js';
import type { JsonValue } from '../../core/json.js';
import type { Cause, Delivery, Receipt } from '../../core/outbound.js';
import type { PageMedia, PageStep } from '../../core/page-log.js';
import { mediaKinds, type StoredFile } from '../../core/parts.js';
import { categories } from '../../core/permission.js';
import type { AssistantMessage, ToolCall, ToolMessage, UserMessage } from '../../core/provider.js';
import type { Question, QuestionAnswer } from '../../core/question.js';
import type { Origin, Route } from '../../core/route.js';
import type { Caller, TodoItem } from '../../core/tool.js';

const messageId = z.string().transform(toMessageId);
const correlation = z.string().transform(toCorrelationId);
const user = z.string().transform(toUserId);

const routeFields = {
  platform: z.string().transform(toPlatformId),
  account: z.string().transform(toAccountId),
  chat: z.string().transform(toChatId),
  thread: z.string().transform(toThreadId).exactOptional(),
};
export const route: z.ZodType<Route> = z.object(routeFields);
export const origin: z.ZodType<Origin> = z.object({
  ...routeFields,
  chatKind: z.enum(['direct', 'group', 'channel']),
  chatTitle: z.string().exactOptional(),
});

const storedFile: z.ZodType<StoredFile> = z.object({
  path: z.string(),
  fileName: z.string(),
  mimeType: z.string(),
  sizeBytes: z.number(),
  durationMs: z.number().exactOptional(),
});

const inboundBase = {
  dedupeKey: z.string(),
  correlation,
  origin,
  sender: z.object({
    user,
    displayName: z.string(),
    isBot: z.boolean(),
    roles: z.array(z.string()).exactOptional(),
  }),
  receivedAt: z.number(),
};
const inboundContent = {
  message: messageId,
  parts: z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({
        type: z.literal('media'),
        kind: z.enum(mediaKinds),
        handle: z.custom<JsonValue>((value) => value !== undefined),
        description: z.string(),
        fileName: z.string().exactOptional(),
        mimeType: z.string().exactOptional(),
        sizeBytes: z.number().exactOptional(),
        durationMs: z.number().exactOptional(),
        caption: z.string().exactOptional(),
        kept: storedFile.exactOptional(),
      }),
      z.object({ type: z.literal('described'), description: z.string() }),
      z.object({ type: z.literal('unsupported'), description: z.string() }),
    ]),
  ),
  addressed: z.enum(['direct', 'mention', 'reply', 'none']),
};

export const inboundEvent: z.ZodType<InboundEvent> = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message'),
    ...inboundBase,
    ...inboundContent,
    sentAt: z.number(),
    replyTo: z
      .object({
        message: messageId,
        text: z.string().exactOptional(),
        senderName: z.string().exactOptional(),
      })
      .exactOptional(),
    album: z.string().exactOptional(),
    mayContinue: z.boolean().exactOptional(),
    isForwarded: z.boolean().exactOptional(),
    isCall: z.boolean().exactOptional(),
    isProgram: z.boolean().exactOptional(),
    skills: z.array(z.string()).exactOptional(),
    explicitSkill: z.string().exactOptional(),
  }),
  z.object({ type: z.literal('edit'), ...inboundBase, ...inboundContent }),
  z.discriminatedUnion('action', [
    z.object({ type: z.literal('action'), ...inboundBase, action: z.literal('stop') }),
    z.object({
      type: z.literal('action'),
      ...inboundBase,
      action: z.literal('choose'),
      token: z.string(),
      message: messageId,
      press: z.custom<JsonValue>((value) => value !== undefined),
    }),
  ]),
]);

export const caller: z.ZodType<Caller> = z.object({
  origin,
  user,
  isOwner: z.boolean(),
  roles: z.array(z.string()).exactOptional(),
  isProgram: z.boolean().exactOptional(),
  skills: z.array(z.string()).exactOptional(),
});

const toolCall: z.ZodType<ToolCall> = z.object({
  id: z.string().transform(toToolCallId),
  name: z.string(),
  argumentsText: z.string(),
});

/** What messages have besides role and text. */
export const userDetail: z.ZodType<Omit<UserMessage, 'role' | 'text'>> = z.object({
  images: z.array(storedFile).exactOptional(),
});
export const assistantDetail: z.ZodType<Omit<AssistantMessage, 'role' | 'text'>> = z.object({
  toolCalls: z.array(toolCall),
  isPartial: z.boolean().exactOptional(),
});
export const toolDetail: z.ZodType<Omit<ToolMessage, 'role' | 'text'>> = z.object({
  call: z.string().transform(toToolCallId),
  isError: z.boolean(),
  images: z.array(storedFile).exactOptional(),
});

const cause: z.ZodType<Cause> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('turn'),
    turn: z.string().transform(toTurnId),
    isFailure: z.literal(true).exactOptional(),
  }),
  z.object({ kind: z.literal('command'), name: z.string() }),
  z.object({ kind: z.literal('notice') }),
  z.object({ kind: z.literal('tool') }),
  z.object({ kind: z.literal('operator') }),
  z.object({ kind: z.literal('job') }),
]);

/** What never changes of a delivery and is not looked up by. */
export type DeliveryContent = Pick<
  Delivery,
  'route' | 'encoded' | 'replyTo' | 'cause' | 'correlation' | 'edits'
>;

const encodedMessage = z.object({
  text: z.string(),
  // Whatever JSON gave back is a JSON value; a missing one is not.
  payload: z.custom<JsonValue>((value) => value !== undefined),
  files: z.array(z.string()).exactOptional(),
});

export const deliveryContent: z.ZodType<DeliveryContent> = z.object({
  route,
  encoded: encodedMessage.extend({
    speech: z
      .object({ ear: z.string(), voice: z.string().exactOptional(), instead: z.array(encodedMessage) })
      .exactOptional(),
  }),
  replyTo: messageId.exactOptional(),
  cause,
  correlation,
  edits: messageId.exactOptional(),
});

const approval: z.ZodType<ApprovalRequest> = z.object({
  tool: z.string(),
  title: z.string(),
  category: z.enum(categories),
  summary: z.string(),
  details: z.string(),
  grant: z.object({ keys: z.array(z.string()), label: z.string() }).exactOptional(),
  risk: z.string().exactOptional(),
});

export type QuestionContent = Omit<Question, 'id' | 'key' | 'askedAt' | 'expiresAt'>;

export const questionContent: z.ZodType<QuestionContent> = z.object({
  route,
  text: z.string(),
  options: z.array(z.object({ label: z.string(), value: z.string() })),
  user: user.exactOptional(),
  orOwner: z.boolean().exactOptional(),
  approval: approval.exactOptional(),
  purpose: z.enum(['command', 'wait']),
  isListed: z.boolean(),
});

export const questionAnswer: z.ZodType<QuestionAnswer> = z.object({
  option: z.number(),
  user,
  event: z.string(),
  reason: z.string().exactOptional(),
});

export const grantContent: z.ZodType<Omit<Grant, 'id' | 'holder' | 'grantedAt'>> = z.object({
  tool: z.string(),
  title: z.string(),
  category: z.enum(categories),
  keys: z.array(z.string()),
  label: z.string(),
  session: z.string().transform(toSessionId).exactOptional(),
  grantedBy: z.string(),
});

export const pageMedia: z.ZodType<readonly PageMedia[]> = z.array(
  z.object({ id: z.string(), name: z.string(), type: z.string() }),
);

export const pageSteps: z.ZodType<readonly PageStep[]> = z.array(
  z.object({
    turn: z.string().transform(toTurnId),
    call: z.string().transform(toToolCallId),
    name: z.string(),
    state: z.enum(['finished', 'failed', 'ended']),
    summary: z.string(),
  }),
);

export const receipt: z.ZodType<Receipt> = z.object({ messages: z.array(messageId), sentAt: z.number() });

/** A `Person` as `[platform, user]`. */
export const storedPerson: z.ZodType<Person> = z
  .tuple([z.string(), z.string()])
  .transform(([platform, id]) => ({ platform: toPlatformId(platform), user: toUserId(id) }));

export const toolNames: z.ZodType<readonly string[]> = z.array(z.string());

export const todoItems: z.ZodType<readonly TodoItem[]> = z.array(
  z.object({
    id: z.string(),
    content: z.string(),
    status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']),
  }),
);
