/** Request bodies to what they ask for, and to events for the gateway. Pure. */
import * as z from 'zod';
import type { ChatId, CorrelationId, MessageId } from '../../core/ids.js';
import type { InboundAction, InboundMessage } from '../../core/inbound.js';
import type { InboundMediaPart } from '../../core/parts.js';
import type { Origin } from '../../core/route.js';
import { toStorableText } from './encode.js';
import { type Checked, failed, passed } from './http-problem.js';
import { account, isClientKey, owner, platformId, toDedupeKey } from './ids.js';
import type { SentFile } from './media-routes.js';

/** More than a book chapter; a model's context is not much longer. In UTF-16 units. */
const MAX_MESSAGE_UNITS = 200_000;

/** As many as platforms put into one album. */
const MAX_FILES = 10;

const messageBody = z.object({
  text: z.string().default(''),
  clientId: z.string().optional(),
  skills: z.array(z.string().min(1).max(100)).max(200).nullish(),
  files: z
    .array(
      z.object({
        name: z.string(),
        type: z.string().default(''),
        data: z.base64(),
        /** It was spoken into a microphone, and is to be understood like what is typed. */
        voice: z.boolean().optional(),
      }),
    )
    .max(MAX_FILES)
    .nullish(),
  explicitSkill: z.string().min(1).max(100).nullish(),
  engine: z.unknown().optional(),
  model: z.unknown().optional(),
  mode: z.unknown().optional(),
});

export interface NewMessage {
  /** Empty only if there are files. */
  readonly text: string;
  readonly files: readonly SentFile[];
  /** By which a resend is recognised; undefined if the client does not care. */
  readonly clientKey?: string;
  /** Names of the skills that it may have; absent: all. */
  readonly skills?: readonly string[];
  readonly explicitSkill?: string;
}

const describeIssue = (error: z.ZodError): string => {
  const [issue] = error.issues;
  const path = issue?.path.join('.') ?? '';
  return `${path === '' ? 'The body' : `'${path}'`} is not right: ${issue?.message ?? 'invalid'}.`;
};

const given = (value: unknown): boolean => value !== undefined && value !== null;

const unsupportedField = (body: z.output<typeof messageBody>): string | undefined =>
  (['engine', 'model', 'mode'] as const).find((name) => given(body[name]));

/** Reads the body of a new message; `keyHeader` is its Idempotency-Key. */
export const parseNewMessage = (body: unknown, keyHeader: string | undefined): Checked<NewMessage> => {
  const parsed = messageBody.safeParse(body);
  if (!parsed.success)
    return failed(
      400,
      'invalid-request',
      `${describeIssue(parsed.error)} Send an object like {"text": "Hello"}.`,
    );
  const unsupported = unsupportedField(parsed.data);
  if (unsupported !== undefined)
    return failed(400, 'unsupported', `'${unsupported}' is not supported yet. Leave it out.`);
  const { text, clientId, skills, explicitSkill } = parsed.data;
  const files = (parsed.data.files ?? []).map(({ name, type, data, voice = false }) => ({
    name: toStorableText(name),
    type: type.toLowerCase(),
    bytes: Buffer.from(data, 'base64'),
    isVoice: voice,
  }));
  if (text.length > MAX_MESSAGE_UNITS)
    return failed(
      413,
      'too-large',
      `The text has ${text.length} characters; one message takes up to ${MAX_MESSAGE_UNITS}. ` +
        'Send it in several messages, or put it into a file in the workspace and ask about that file.',
    );
  const storable = toStorableText(text);
  if (storable.trim() === '' && files.length === 0)
    return failed(400, 'invalid-request', "'text' is empty. Write something to send.");
  const clientKey = keyHeader ?? clientId;
  const message = {
    text: storable,
    files,
    ...(given(skills) && { skills: skills ?? [] }),
    ...(typeof explicitSkill === 'string' && { explicitSkill }),
  };
  if (clientKey === undefined) return passed(message);
  if (!isClientKey(clientKey))
    return failed(400, 'invalid-request', 'The Idempotency-Key must be 1 to 200 visible ASCII characters.');
  return passed({ ...message, clientKey });
};

/** Files of our own spool, which only the command line of this home can fill. */
const spooledFile = z.object({
  path: z.string().min(1),
  fileName: z.string().min(1),
  mimeType: z.string().min(1),
  sizeBytes: z.number().int().positive(),
});

const deliveryBody = z
  .object({
    to: z.string().min(1),
    text: z.string(),
    files: z.array(spooledFile).max(20).default([]),
    key: z.string().min(1).max(200).optional(),
    /** How long the answer may wait for receipts; the default is as long as the client waits. */
    waitMs: z.number().int().min(0).max(600_000).optional(),
  })
  .refine(({ text, files }) => text.trim() !== '' || files.length > 0, {
    path: ['text'],
    message: 'expected a text or a file',
  });

export const parseDelivery = (body: unknown): Checked<z.output<typeof deliveryBody>> => {
  const parsed = deliveryBody.safeParse(body);
  if (parsed.success) return passed(parsed.data);
  const example = '{"to": "web:main", "text": "Hello"}';
  return failed(400, 'invalid-request', `${describeIssue(parsed.error)} Send an object like ${example}.`);
};

const approvalBody = z.object({ platform: z.string().min(1), code: z.string().min(1) });

export const parseApproval = (body: unknown): Checked<z.output<typeof approvalBody>> => {
  const parsed = approvalBody.safeParse(body);
  if (parsed.success) return passed(parsed.data);
  const example = '{"platform": "web", "code": "ABCD2345"}';
  return failed(400, 'invalid-request', `${describeIssue(parsed.error)} Send an object like ${example}.`);
};

const userBody = z.object({ platform: z.string().min(1), user: z.string().min(1) });

export const parseUser = (body: unknown): Checked<z.output<typeof userBody>> => {
  const parsed = userBody.safeParse(body);
  if (parsed.success) return passed(parsed.data);
  const example = '{"platform": "web", "user": "12345"}';
  return failed(400, 'invalid-request', `${describeIssue(parsed.error)} Send an object like ${example}.`);
};

const loginBody = z.object({ token: z.string() });

export const parseLogin = (body: unknown): Checked<string> => {
  const parsed = loginBody.safeParse(body);
  if (parsed.success) return passed(parsed.data.token.trim());
  return failed(400, 'invalid-request', 'Send an object like {"token": "…"}.');
};

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/u.test(text) ? Number(text) : undefined;

const DEFAULT_PAGE = 100;
const MAX_PAGE = 500;

/** Query values of a history page. */
export const parsePage = (
  limit: string | undefined,
  before: string | undefined,
): Checked<{ readonly limit: number; readonly before?: number }> => {
  const count = limit === undefined ? DEFAULT_PAGE : wholeNumber(limit);
  if (count === undefined || count < 1)
    return failed(400, 'invalid-request', `'limit' must be a number from 1 to ${MAX_PAGE}.`);
  const page = { limit: Math.min(count, MAX_PAGE) };
  if (before === undefined) return passed(page);
  const sequence = wholeNumber(before);
  if (sequence === undefined)
    return failed(400, 'invalid-request', "'before' must be the 'before' of an earlier answer.");
  return passed({ ...page, before: sequence });
};

interface Facts {
  readonly session: ChatId;
  readonly correlation: CorrelationId;
  readonly at: number;
}

const toBase = ({ session, correlation, at }: Facts) => {
  const origin: Origin = {
    platform: platformId,
    account,
    chat: session,
    chatKind: 'direct',
    chatTitle: session,
  };
  return {
    origin,
    correlation,
    receivedAt: at,
    sender: { user: owner, displayName: 'Owner', isBot: false },
  };
};

interface InboundContent extends Pick<NewMessage, 'text' | 'skills' | 'explicitSkill'> {
  readonly files: readonly InboundMediaPart[];
  readonly isProgram?: boolean;
}

export const toInboundMessage = (
  facts: Facts,
  message: MessageId,
  { text, files, skills, explicitSkill, isProgram }: InboundContent,
): InboundMessage => ({
  ...toBase(facts),
  type: 'message',
  dedupeKey: toDedupeKey(facts.session, message),
  message,
  sentAt: facts.at,
  // What is written above files speaks of them, and is read first.
  parts: [...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]), ...files],
  addressed: 'direct',
  ...(skills !== undefined && { skills }),
  ...(explicitSkill !== undefined && { explicitSkill }),
  ...(isProgram === true && { isProgram }),
});

/** Every press counts: pressing stop twice is two events. */
export const toStopAction = (facts: Facts): InboundAction => ({
  ...toBase(facts),
  type: 'action',
  action: 'stop',
  dedupeKey: toDedupeKey(facts.session, `stop ${facts.correlation}`),
});
