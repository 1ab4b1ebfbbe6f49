import type { JobService } from '../../src/core/job-service.js';
import type { GatewayServices, GatewayStatus } from '../../src/core/services.js';

const unexpected = (what: string) => (): Promise<never> =>
  Promise.reject(new Error(`${what} was not expected`));

const idle: GatewayStatus = {
  version: '0.0.0',
  pid: 1,
  startedAt: 0,
  model: { provider: 'scripted', name: 'scripted', isDemo: false },
  adapters: [],
  queues: {
    runningTurns: 0,
    waitingMessages: 0,
    pendingDeliveries: 0,
    failedDeliveries: 0,
    unknownDeliveries: 0,
  },
  problems: [],
};

export const noJobs: JobService = {
  create: unexpected('a new job'),
  update: unexpected('a change of a job'),
  act: unexpected('an action on a job'),
  find: unexpected('a search for a job'),
  list: unexpected('a list of jobs'),
  runs: unexpected('a history of jobs'),
  summary: async () => ({ scheduled: 0, running: 0 }),
  tick: unexpected('a tick'),
  idle: unexpected('a wait for jobs'),
  as: () => noJobs,
  preview: () => ({ ok: false, problem: 'a preview was not expected' }),
  output: unexpected('the output of a run'),
  split: (line) => ({ schedule: line, rest: '' }),
};

/** What a test does not bring refuses to be called, except for the status of an idle gateway. */
export const someGatewayServices = (changes: Partial<GatewayServices> = {}): GatewayServices => ({
  status: () => Promise.resolve(idle),
  send: unexpected('a send'),
  deliver: unexpected('a delivery of a job'),
  check: () => ({ ok: true, isOwnChatOrHome: false }),
  completions: {
    complete: () => {
      throw new Error('a completion was not expected');
    },
    models: () => ['scripted'],
  },
  jobs: noJobs,
  linking: () => undefined,
  skills: { list: async () => [], find: async () => undefined },
  pairings: {
    list: unexpected('a list of pairings'),
    approve: unexpected('an approval'),
    revoke: unexpected('a revocation'),
  },
  permissions: {
    pending: () => [],
    answer: unexpected('an answer to a request'),
    grants: unexpected('a list of grants'),
    revoke: unexpected('a revocation'),
  },
  sessions: {
    list: unexpected('a list of sessions'),
    find: unexpected('a search for a session'),
    transcript: unexpected('a transcript'),
    delete: unexpected('a deletion'),
    deleteChat: unexpected('the deletion of a chat'),
  },
  ...changes,
});
