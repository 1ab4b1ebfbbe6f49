import { type MatrixChanges, type PermissionPolicy, withMatrixChanges } from './permission.js';

/** What is different for some place or people; absent parts stay. */
export interface PermissionChange {
  readonly level?: PermissionPolicy['level'] | undefined;
  readonly matrix?: MatrixChanges | undefined;
}

/** What may be done where, by whom, and for how long somebody is asked. */
export interface PermissionSettings extends PermissionPolicy {
  /** Time to answer a request. */
  readonly timeoutMs: number;
  /** By platform. */
  readonly platforms: Readonly<Record<string, PermissionChange>>;
  /** By role: `owner`, `guest` (everybody else), or a group of people that a platform keeps, as `platform:id`. */
  readonly roles: Readonly<Record<string, PermissionChange>>;
  /** By chat, as `platform:id`. */
  readonly chats: Readonly<Record<string, PermissionChange>>;
  /** By a scheduled job's id or name. */
  readonly jobs: Readonly<Record<string, PermissionChange>>;
}

/** Who calls from where, in the names that settings use; several names of one thing are all looked for. */
export interface PermissionPlace {
  readonly platform: string;
  readonly roles: readonly string[];
  readonly chats: readonly string[];
  readonly jobs: readonly string[];
}

const apply = ({ level, matrix }: PermissionPolicy, change: PermissionChange): PermissionPolicy => ({
  level: change.level ?? level,
  matrix: change.matrix === undefined ? matrix : withMatrixChanges(matrix, change.matrix),
});

const fitting = (
  changes: Readonly<Record<string, PermissionChange>>,
  names: readonly string[],
): readonly PermissionChange[] =>
  // In the order of the settings, so that what a person with several roles may do can be read there.
  Object.entries(changes).flatMap(([name, change]) => (names.includes(name) ? [change] : []));

/** The changes that fit, from the widest to the narrowest: platform, role, chat, job. A later one wins. Pure. */
export const policyFor = (
  settings: PermissionSettings,
  { platform, roles, chats, jobs }: PermissionPlace,
): PermissionPolicy =>
  [
    ...fitting(settings.platforms, [platform]),
    ...fitting(settings.roles, roles),
    ...fitting(settings.chats, chats),
    ...fitting(settings.jobs, jobs),
  ].reduce<PermissionPolicy>(apply, { level: settings.level, matrix: settings.matrix });
