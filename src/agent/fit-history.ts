import type { ModelMessage, UserMessage } from '../core/provider.js';
import { estimateMessage, estimateMessages } from './estimate.js';

/** Stands where something was left out. */
export const omissionNote: UserMessage = {
  role: 'user',
  text: '(The earlier part of this conversation is left out here to save room.)',
};

/** A summary is no help if it crowds out what it introduces. */
const maxSummaryShare = 1 / 3;
/** Room is made in pieces of this share, so that the start of the request stays the same for several calls. */
const pieceShare = 1 / 8;

/**
 * The newest part of a repaired history that fits into `tokens`, behind its summary and a note that something is missing.
 * It begins with a message of a person, so that calls keep their results. If the last turn alone is too long, it loses its
 * oldest steps; the last message of a person and the last step stay even if they do not fit.
 */
export const fitHistory = (messages: readonly ModelMessage[], tokens: number): readonly ModelMessage[] => {
  if (estimateMessages(messages) <= tokens) return messages;
  const [first] = messages;
  const isSummarised = first?.role === 'user' && first.isSummary === true;
  const body = isSummarised ? messages.slice(1) : messages;
  const summary = isSummarised && estimateMessage(first) <= tokens * maxSummaryShare ? [first] : [];
  const room = tokens - estimateMessages([...summary, omissionNote]);
  const turns = startsWith(body, 'user');
  if (turns.length === 0) return messages;
  const newest = body.slice(dropOldest(body, turns, room, tokens * pieceShare));
  const kept = fitTurn(newest, room, tokens * pieceShare);
  return kept.length === messages.length ? messages : [...summary, omissionNote, ...kept];
};

const startsWith = (messages: readonly ModelMessage[], role: ModelMessage['role']): readonly number[] =>
  messages.flatMap((message, index) => (message.role === role ? [index] : []));

/** The start from which what is left fits, with some air; the last one if none does. */
const dropOldest = (
  messages: readonly ModelMessage[],
  starts: readonly number[],
  room: number,
  piece: number,
): number => {
  const excess = estimateMessages(messages) - room;
  if (excess <= 0) return 0;
  const goal = Math.ceil(excess / piece) * piece;
  let gone = 0;
  let next = 0;
  let sufficient: number | undefined;
  for (const start of starts) {
    for (; next < start; next += 1) gone += tokensAt(messages, next);
    if (gone >= goal) return start;
    if (gone >= excess) sufficient ??= start;
  }
  return sufficient ?? starts.at(-1) ?? 0;
};

const tokensAt = (messages: readonly ModelMessage[], index: number): number => {
  const message = messages[index];
  return message === undefined ? 0 : estimateMessage(message);
};

/** Without the oldest steps of a turn that is too long by itself. */
const fitTurn = (turn: readonly ModelMessage[], room: number, piece: number): readonly ModelMessage[] => {
  if (estimateMessages(turn) <= room) return turn;
  const asked = turn.findIndex(({ role }) => role !== 'user');
  if (asked === -1) return turn;
  const question = turn.slice(0, asked);
  const work = turn.slice(asked);
  const start = dropOldest(work, startsWith(work, 'assistant'), room - estimateMessages(question), piece);
  return start === 0 ? turn : [...question, ...work.slice(start)];
};
