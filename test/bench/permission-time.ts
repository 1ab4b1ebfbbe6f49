/** What permission costs: a decision with the look into the registry and the grants, and many requests that wait. */

import { createToolRegistry } from '../../src/agent/index.js';
import type { ApprovalContext, ApprovalRequest } from '../../src/core/approval.js';
import {
  toAccountId,
  toChatId,
  toCorrelationId,
  toGrantId,
  toPlatformId,
  toSessionId,
  toToolCallId,
  toTurnId,
  toUserId,
} from '../../src/core/ids.js';
import { decidePermission, defaultMatrix } from '../../src/core/permission.js';
import { policyFor } from '../../src/core/permission-settings.js';
import { Approvals } from '../../src/gateway/approvals/approvals.js';
import { Grants } from '../../src/gateway/approvals/grants.js';
import { Questions } from '../../src/gateway/questions/questions.js';
import { createIdSource, createSystemClock } from '../../src/host/index.js';
import { createMemoryStores } from '../../src/store/memory/memory-stores.js';
import { tools } from '../../src/tools/index.js';
import { quietLogger } from './quiet-logger.js';

export interface PermissionTime {
  /** CPU of one decision. */
  readonly decisionUs: number;
  readonly pending: number;
  /** CPU of asking, answering and resolving one of so many open requests. */
  readonly requestUs: number;
}

const DECISIONS = 50_000;
const GRANTS = 200;
const PENDING = 1_000;

const caller = {
  origin: {
    platform: toPlatformId('bench'),
    account: toAccountId('bot'),
    chat: toChatId('c1'),
    chatKind: 'direct',
  },
  user: toUserId('u1'),
  isOwner: true,
} as const;

const aRequest = (key: string): ApprovalRequest => ({
  tool: 'send_message',
  title: 'Send message',
  category: 'system',
  summary: 'to somebody',
  details: 'To somebody:\nhello',
  grant: { keys: [key], label: key },
});

const aContext = (call: string): ApprovalContext => ({
  caller,
  session: toSessionId('s1'),
  turn: toTurnId('t1'),
  call: toToolCallId(call),
  correlation: toCorrelationId('c'),
});

const spentUs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return user + system;
};

const build = () => {
  const clock = createSystemClock();
  const ids = createIdSource(clock);
  const stores = createMemoryStores();
  const persist = <T>(write: () => Promise<T>): Promise<T> => write();
  const published: string[] = [];
  const adapter = {
    support: () => ({ text: { level: 'native', maxLength: 4096, unit: 'utf16', hint: '' } }),
    approvals: {
      publish: (_route: unknown, { type }: { readonly type: string }) => void published.push(type),
    },
  };
  const questions = new Questions({
    store: stores.questions,
    persist,
    clock,
    ids,
    logger: quietLogger,
    speaker: { prepare: unused, say: unused, follow: unused },
    // A page: it is told, and nothing is sent.
    adapterFor: () => adapter as never,
    firstPlace: (place) => place,
    isOwner: () => true,
    sentBefore: async () => [],
    callSignal: new AbortController().signal,
  });
  const grants = new Grants({ store: stores.grants, persist });
  const settings = {
    level: 'auto',
    matrix: defaultMatrix,
    timeoutMs: 60_000,
    platforms: { bench: { level: 'auto' } },
    roles: { owner: { level: 'auto' } },
    chats: { 'bench:c1': { matrix: { auto: { write: 'auto' } } } },
    jobs: {},
  } as const;
  const place = { platform: 'bench', roles: ['owner'], chats: ['bench:c1'], jobs: [] };
  const approvals = new Approvals({
    questions,
    grants,
    clock,
    ids,
    timeoutMs: settings.timeoutMs,
    policy: () => ({ ...policyFor(settings, place), canAsk: true }),
    jobOf: () => undefined,
  });
  return { approvals, grants, published };
};

const unused = (): Promise<never> => Promise.reject(new Error('nothing is sent'));

const measureDecision = async ({ approvals, grants }: ReturnType<typeof build>): Promise<number> => {
  for (let index = 0; index < GRANTS; index += 1)
    await grants.add({
      id: toGrantId(`g${index}`),
      holder: 'bench:u1',
      tool: 'send_message',
      title: 'Send message',
      category: 'system',
      keys: [`key ${index}`],
      label: 'x',
      grantedBy: 'bench:u1',
      grantedAt: index,
    });
  const registry = createToolRegistry(tools);
  const context = aContext('c1');
  let allowed = 0;
  const start = process.cpuUsage();
  for (let index = 0; index < DECISIONS; index += 1) {
    const tool = registry.find('send_message');
    if (tool === undefined) continue;
    const { canAsk, ...policy } = approvals.policy(caller);
    const { grant } = aRequest(`key ${index % (GRANTS * 2)}`);
    const call = { tool: tool.name, category: 'system', ...(grant !== undefined && { grant }) } as const;
    const verdict = decidePermission({
      policy,
      category: 'system',
      neverAsks: tool.neverAsks === true,
      isForbidden: false,
      isGranted: approvals.isGranted(call, context),
      canAsk,
    });
    if (verdict.decision === 'allow') allowed += 1;
  }
  const spent = spentUs(start) / DECISIONS;
  if (allowed !== DECISIONS / 2) throw new Error(`${allowed} of ${DECISIONS} were allowed`);
  return spent;
};

const measureRequests = async ({ approvals }: ReturnType<typeof build>): Promise<number> => {
  const start = process.cpuUsage();
  const { signal } = new AbortController();
  const answers = Array.from({ length: PENDING }, (_each, index) =>
    approvals.ask(aRequest(`new ${index}`), aContext(`call ${index}`), { signal }),
  );
  while (approvals.service.pending().length < PENDING) await new Promise((resolve) => setImmediate(resolve));
  for (const { id } of approvals.service.pending())
    await approvals.service.answer(id, { decision: 'allow', scope: 'once' }, 'web:owner', `answer ${id}`);
  const outcomes = await Promise.all(answers);
  if (outcomes.some(({ outcome }) => outcome !== 'allowed')) throw new Error('a request was not allowed');
  return spentUs(start) / PENDING;
};

export async function measurePermission(): Promise<PermissionTime> {
  const bench = build();
  await measureDecision(build());
  return {
    decisionUs: await measureDecision(bench),
    pending: PENDING,
    requestUs: await measureRequests(bench),
  };
}
