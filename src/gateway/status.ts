import type { ForgottenReport, GatewayStatus } from '../core/services.js';
import { adviseFirstUser } from '../core/setting-words.js';
import type { Stores } from '../core/stores.js';
import type { GatewaySettings } from './settings.js';
import type { Supervisor } from './supervisor.js';

interface StatusDeps {
  readonly settings: GatewaySettings;
  readonly supervisors: readonly Supervisor[];
  readonly stores: Pick<Stores, 'outbox' | 'maintenance'>;
  hasPaired(platform: string): boolean;
  readonly startedAt: number;
  readonly pid: number;
  counts(): { readonly running: number; readonly waiting: number };
  /** What keeps the store from writing, if anything. */
  storeTrouble(): string | undefined;
  /** What housekeeping forgot, if anything. */
  forgotten(): ForgottenReport | undefined;
  /** What speech lacks, as sentences. */
  voiceProblems(): Promise<readonly string[]>;
}

const accessProblems = (
  { platforms, allowedUsers, owners, strangers }: GatewaySettings,
  hasPaired: StatusDeps['hasPaired'],
): readonly string[] =>
  platforms
    .filter((one) =>
      [one.allowedUsers, one.allowedChats, one.allowedRoles, allowedUsers].every((list) => list.length === 0),
    )
    .filter((one) => !owners.some((owner) => owner.startsWith(`${one.id}:`)))
    .filter((one) => !hasPaired(one.id))
    .map(({ id, title, variables }) => {
      const advice = adviseFirstUser({ id, title, variable: variables['allowed_users'], strangers });
      return `Nobody may write in ${title} yet. ${advice}`;
    });

export const createStatus = (deps: StatusDeps) => async (): Promise<GatewayStatus> => {
  const { settings, supervisors, stores } = deps;
  const adapters = supervisors.map(({ status }) => status);
  const { running, waiting } = deps.counts();
  const { pending, failed, unknown } = await stores.outbox.counts();
  const troubles = [deps.storeTrouble(), await stores.maintenance.problem()];
  const forgotten = deps.forgotten();
  return {
    version: settings.version,
    pid: deps.pid,
    startedAt: deps.startedAt,
    model: settings.model,
    adapters,
    queues: {
      runningTurns: running,
      waitingMessages: waiting,
      pendingDeliveries: pending,
      failedDeliveries: failed,
      unknownDeliveries: unknown,
    },
    ...(forgotten !== undefined && { forgotten }),
    problems: [
      // Often one and the same.
      ...new Set(troubles.filter((trouble) => trouble !== undefined)),
      ...accessProblems(settings, deps.hasPaired),
      ...(await deps.voiceProblems()),
    ],
  };
};
