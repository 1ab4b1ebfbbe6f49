import type { SessionOverview, StoredMessage } from './archive.js';
import type { ChatId, PlatformId, SessionId } from './ids.js';

/** A conversation as the operator sees it. */
export interface ListedSession extends SessionOverview {
  /** Where it takes place, as a target would name it, e.g. `matrix:#general`. */
  readonly place: string;
  readonly isRunning: boolean;
}

export type SessionFinding =
  | { readonly type: 'one'; readonly session: ListedSession }
  | { readonly type: 'none' }
  /** The latest used first. */
  | { readonly type: 'many'; readonly candidates: readonly ListedSession[] };

/** `running`: nothing was deleted, because it is being worked on, or goes on at the next start. */
export type DeletionOutcome = 'deleted' | 'running' | 'unknown';

/** Conversations, for the operator. */
export interface SessionService {
  /** On whose clocks times are told, IANA; absent: the host's. */
  readonly timezone?: string;
  /** The latest used first. */
  list(options: { readonly limit: number }): Promise<readonly ListedSession[]>;
  /** By its id, by its place, or by the beginning of its id, place or title. */
  find(name: string): Promise<SessionFinding>;
  /** Everything that was said in it, oldest first. */
  transcript(session: SessionId): Promise<readonly StoredMessage[]>;
  /** Removes it with all that belongs to it: what a page shows of it, files that nothing else names, choices. */
  delete(session: SessionId): Promise<DeletionOutcome>;
  /** The same for all conversations of a chat. */
  deleteChat(chat: {
    readonly platform: PlatformId;
    readonly chat: ChatId;
  }): Promise<{ readonly deleted: number; readonly running: number }>;
}

/** More of them would bury what is wrong. */
const MAX_CANDIDATES = 10;

/** Why a name does not lead to a conversation, with the candidates. */
export const explainFinding = (finding: Exclude<SessionFinding, { type: 'one' }>, name: string): string => {
  if (finding.type === 'none') return `There is no conversation '${name}'.`;
  const { candidates } = finding;
  const shown = candidates
    .slice(0, MAX_CANDIDATES)
    .map(({ id, place, title }) => `${id} (${place}${title === '' ? '' : `, ${title}`})`);
  const more = candidates.length - shown.length;
  const list = [...shown, ...(more > 0 ? [`${more} more`] : [])].join('; ');
  return `'${name}' can be several conversations: ${list}. Write one of these ids.`;
};
