/**
 * Keeps a session that never ends inside the model's window: its older part is summed up, in the store too, so that no
 * turn has to do it again.
 *
 * 1. It is cut at a message of a person, so calls keep their results, and the last one always stays.
 * 2. The summary takes its place in one write; until then everything is as it was.
 * 3. What is of no use is not repeated: neither within the turn nor soon after.
 */
import type { ModelMessage } from '../core/provider.js';
import { estimateMessages, estimateText } from './estimate.js';
import { repairHistory } from './repair-history.js';
import { roomOf, withBounds } from './request.js';
import { summarise } from './summarise.js';
import type { TurnRun } from './turn-run.js';
import { addUsage, type TurnState } from './turn-state.js';

/** Above this share of the room for messages. */
const fullShare = 0.75;
/** Before the read of the history, which is bounded too, loses messages that no summary has. */
const fullMessages = 400;
/** What stays as it is: the newest messages, by share of the room and by number. */
const keptShare = 0.25;
const keptMessages = 100;
/** A summary of less than this share of the room is not worth a call. */
const minSavedShare = 0.1;
const minSavedMessages = 100;
/** A summary has to be shorter than what it stands for, or nothing is won. */
const maxSummaryShare = 0.5;
/** Turns until another attempt, after one that was of no use. */
const pauseTurns = 10;

/** Compacts the session if it is about to fill the window. Rejects only if the journal does. */
export const compactIfFull = async (run: TurnRun, state: TurnState): Promise<void> => {
  const room = roomOf(run, state);
  if (state.compactionsLeft === 0 || !isFull(state, room)) return;
  if (isPaused(run)) {
    state.compactionsLeft = 0;
    return;
  }
  const cut = findCut(state.stored, room);
  if (cut === undefined) return;
  state.compactionsLeft -= 1;
  const old = state.stored.slice(0, cut);
  const before = estimateMessages(withBounds(old, room));
  const summary = await summarise(run, old, room);
  if (run.signal.aborted) return;
  if (!summary.ok) return giveUp(run, state, summary);
  if (summary.usage !== undefined) state.usage = addUsage(state.usage, summary.usage);
  if (estimateText(summary.text) > before * maxSummaryShare)
    return giveUp(run, state, { problem: 'the summary is too long' });
  const kept = state.stored.slice(cut);
  await run.journal.compact({ keep: kept.length, summary: summary.text });
  state.stored = [{ role: 'user', text: summary.text, isSummary: true }, ...kept];
  state.messages = [...repairHistory(state.stored)];
  run.logger.info({ turn: run.input.turn, messages: old.length, tokens: before }, 'session compacted');
  notice(
    run,
    `🗜 I summarised the earlier part of our conversation (${old.length} messages), which was filling my memory. The newest part I still have word for word.`,
  );
};

const isFull = ({ stored, messages }: TurnState, room: number): boolean =>
  stored.length >= fullMessages || estimateMessages(withBounds(messages, room)) > room * fullShare;

/** Counts one turn of the pause. */
const isPaused = ({ memory, input }: TurnRun): boolean => {
  const left = memory.compactionPauses.get(input.session) ?? 0;
  if (left === 0) return false;
  if (left === 1) memory.compactionPauses.delete(input.session);
  else memory.compactionPauses.set(input.session, left - 1);
  return true;
};

/** Where the part begins that stays: as much as may stay, but at least the last message of a person. */
const findCut = (stored: readonly ModelMessage[], room: number): number | undefined => {
  let cut: number | undefined;
  for (let index = stored.length - 1; index > 0; index -= 1) {
    if (stored[index]?.role !== 'user') continue;
    const isSmall =
      stored.length - index <= keptMessages &&
      estimateMessages(withBounds(stored.slice(index), room)) <= room * keptShare;
    if (cut !== undefined && !isSmall) break;
    cut = index;
  }
  const isAfterSummary = cut === 1 && stored[0]?.role === 'user' && stored[0].isSummary === true;
  if (cut === undefined || isAfterSummary) return undefined;
  const saved = estimateMessages(withBounds(stored.slice(0, cut), room));
  return saved >= room * minSavedShare || cut >= minSavedMessages ? cut : undefined;
};

const giveUp = (
  run: TurnRun,
  state: TurnState,
  { problem, cause }: { readonly problem: string; readonly cause?: unknown },
): void => {
  state.compactionsLeft = 0;
  run.memory.compactionPauses.set(run.input.session, pauseTurns);
  run.logger.warn({ turn: run.input.turn, problem, error: cause }, 'session could not be compacted');
  notice(
    run,
    '🗜 Our conversation has become longer than I can keep in mind, and I could not summarise it. I leave out the oldest part; /new starts afresh.',
  );
};

const notice = ({ emit, input }: TurnRun, text: string): void =>
  emit({ type: 'notice', turn: input.turn, text });
