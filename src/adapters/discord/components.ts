/** Choices as rows of buttons. Pure. */
import type { JsonValue } from '../../core/json.js';
import type { Choice } from '../../core/parts.js';
import { shorten } from '../kit/fields.js';

const IN_A_ROW = 5;
const ROWS = 5;
const MAX_LABEL_LENGTH = 80;

export const MAX_BUTTONS = IN_A_ROW * ROWS;

const ACTION_ROW = 1;
const BUTTON = 2;
const SECONDARY = 2;

export const toComponents = (choices: readonly Choice[]): readonly JsonValue[] => {
  const buttons = choices.slice(0, MAX_BUTTONS).map(({ label, token }) => ({
    type: BUTTON,
    style: SECONDARY,
    label: shorten(label, MAX_LABEL_LENGTH),
    custom_id: token,
  }));
  return Array.from({ length: Math.ceil(buttons.length / IN_A_ROW) }, (_, row) => ({
    type: ACTION_ROW,
    components: buttons.slice(row * IN_A_ROW, (row + 1) * IN_A_ROW),
  }));
};
