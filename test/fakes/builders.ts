/** Builders that default everything but what a test is about. */
import {
  toAccountId,
  toChatId,
  toCorrelationId,
  toDeliveryId,
  toMessageId,
  toPlatformId,
  toThreadId,
  toTurnId,
  toUserId,
} from '../../src/core/ids.js';
import type { InboundChoice, InboundMessage } from '../../src/core/inbound.js';
import type { Delivery } from '../../src/core/outbound.js';
import { defaultMatrix } from '../../src/core/permission.js';
import type { ChatKind, Origin } from '../../src/core/route.js';
import type { GatewayPlatform, GatewaySettings } from '../../src/gateway/index.js';

interface OriginSketch {
  readonly platform?: string;
  readonly chat?: string;
  readonly thread?: string;
  readonly chatKind?: ChatKind;
}

export const anOrigin = ({
  platform = 'fake',
  chat = 'c1',
  thread,
  chatKind = 'direct',
}: OriginSketch = {}): Origin => ({
  platform: toPlatformId(platform),
  account: toAccountId('bot'),
  chat: toChatId(chat),
  ...(thread !== undefined && { thread: toThreadId(thread) }),
  chatKind,
});

interface MessageSketch extends OriginSketch {
  readonly id?: string;
  readonly text?: string;
  readonly user?: string;
  readonly addressed?: InboundMessage['addressed'];
}

export const aMessage = ({
  id = 'm1',
  text = 'hello',
  user = 'u1',
  addressed = 'direct',
  ...origin
}: MessageSketch = {}): InboundMessage => ({
  type: 'message',
  dedupeKey: `${origin.platform ?? 'fake'}/${origin.chat ?? 'c1'}/${id}`,
  correlation: toCorrelationId(`corr-${id}`),
  origin: anOrigin(origin),
  sender: { user: toUserId(user), displayName: `User ${user}`, isBot: false },
  receivedAt: 0,
  message: toMessageId(id),
  sentAt: 0,
  parts: [{ type: 'text', text }],
  addressed,
});

interface PressSketch extends OriginSketch {
  readonly id?: string;
  readonly user?: string;
  readonly token: string;
  readonly message: string;
}

export const aPress = ({
  id = 'b1',
  user = 'u1',
  token,
  message,
  ...origin
}: PressSketch): InboundChoice => ({
  type: 'action',
  action: 'choose',
  dedupeKey: `${origin.platform ?? 'fake'}/press/${id}`,
  correlation: toCorrelationId(`corr-${id}`),
  origin: anOrigin(origin),
  sender: { user: toUserId(user), displayName: `User ${user}`, isBot: false },
  receivedAt: 0,
  token,
  message: toMessageId(message),
  press: { id },
});

export const aDelivery = (changes: Partial<Delivery> = {}): Delivery => ({
  id: toDeliveryId('d1'),
  route: anOrigin(),
  encoded: { text: 'hi', payload: 'hi' },
  cause: { kind: 'turn', turn: toTurnId('t1') },
  idempotencyKey: 'k1',
  correlation: toCorrelationId('corr'),
  state: 'pending',
  attempts: 0,
  isRepeat: false,
  createdAt: 0,
  notBefore: 0,
  ...changes,
});

export const aPlatform = (changes: Partial<GatewayPlatform> = {}): GatewayPlatform => ({
  id: 'fake',
  title: 'Fake',
  create: () => Promise.reject(new Error('this platform is never created')),
  owners: [],
  allowedUsers: ['u1'],
  allowedChats: [],
  allowedRoles: [],
  requireMention: true,
  busy: 'steer',
  streaming: false,
  reactions: false,
  toolProgress: 'off',
  variables: {},
  parseAddress: (name) => (/^[\w-]+$/u.test(name) ? { chat: toChatId(name) } : undefined),
  ...changes,
});

export const someSettings = (changes: Partial<GatewaySettings> = {}): GatewaySettings => ({
  version: '0.0.0',
  platforms: [aPlatform()],
  offPlatforms: [],
  allowedUsers: [],
  owners: [],
  strangers: 'pair',
  pairing: { codeTtlMs: 3_600_000, maxPending: 3, maxAttempts: 5, lockoutMs: 3_600_000 },
  groupPerUser: true,
  threadPerUser: false,
  model: { provider: 'scripted', name: 'scripted', isDemo: false },
  maxSteps: 10,
  contextTokens: 100_000,
  permissions: {
    level: 'auto',
    matrix: defaultMatrix,
    timeoutMs: 30_000,
    platforms: {},
    roles: {},
    chats: {},
    jobs: {},
  },
  retention: { maxAgeMs: 365 * 24 * 3_600_000, maxBytes: 1_000_000 },
  ...changes,
});
