import type { TurnId } from '../../core/ids.js';

/** With which the idempotency keys of all begin that a turn says. Stored: must not change. */
export const keyBeginning = (turn: TurnId): string => `${turn}/`;
