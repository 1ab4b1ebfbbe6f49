/** Choices as buttons beneath a message. Pure. */
import type { Choice } from '../../core/parts.js';
import { shorten } from '../kit/fields.js';

export interface Button {
  readonly text: string;
  readonly callback_data: string;
}

/** Rows of buttons, from above. */
export type Keyboard = readonly (readonly Button[])[];

/** Bot API limit for the buttons of one message. */
export const MAX_BUTTONS = 100;
/** Bot API limit for what a button brings back. */
const MAX_DATA_BYTES = 64;
/** What a phone shows of one line; more is cut off by clients, some in the middle. */
const MAX_LABEL_LENGTH = 60;
/** Buttons of one row share its width. */
const SHORT_LABEL_LENGTH = 12;
const MAX_PER_ROW = 3;

const toButton = ({ label, token }: Choice): Button => ({
  text: shorten(label.replace(/\s+/gu, ' ').trim(), MAX_LABEL_LENGTH) || '…',
  callback_data: token,
});

/** Several in a row where all of them are short, else one a row. */
export const toKeyboard = (choices: readonly Choice[]): Keyboard => {
  // A longer one would have the whole message refused.
  const buttons = choices.filter(({ token }) => Buffer.byteLength(token) <= MAX_DATA_BYTES).map(toButton);
  const perRow = buttons.every(({ text }) => text.length <= SHORT_LABEL_LENGTH) ? MAX_PER_ROW : 1;
  const rows: Button[][] = [];
  for (let at = 0; at < buttons.length; at += perRow) rows.push(buttons.slice(at, at + perRow));
  return rows;
};
