/** Choices as a row of buttons, or as menus where one row does not hold them. Pure. */
import type { JsonValue } from '../../core/json.js';
import type { Choice } from '../../core/parts.js';
import { shorten } from '../kit/fields.js';

const MAX_ROWS = 5;
/** Discord takes five such rows, but buttons with long labels push what was said off a telephone's screen. */
const MAX_BUTTONS = 5;
const MAX_BUTTON_LABEL = 80;
const IN_A_MENU = 25;
const MAX_OPTION_LABEL = 100;

export const MAX_CHOICES = IN_A_MENU * MAX_ROWS;

const ACTION_ROW = 1;
const BUTTON = 2;
const MENU = 3;
const SECONDARY = 2;

const toGroups = (choices: readonly Choice[], size: number): readonly (readonly Choice[])[] =>
  Array.from({ length: Math.ceil(choices.length / size) }, (_, index) =>
    choices.slice(index * size, (index + 1) * size),
  );

const toRow = (components: readonly JsonValue[]): JsonValue => ({ type: ACTION_ROW, components });

const toButton = ({ label, token }: Choice): JsonValue => ({
  type: BUTTON,
  style: SECONDARY,
  label: shorten(label, MAX_BUTTON_LABEL),
  custom_id: token,
});

/** What was chosen is among the values of the press; the menu's own id only tells menus apart. */
const toMenu = (choices: readonly Choice[], index: number, count: number): JsonValue => {
  const first = index * IN_A_MENU + 1;
  const placeholder = count === 1 ? 'Choose one' : `Choose one: ${first} to ${first + choices.length - 1}`;
  return {
    type: MENU,
    custom_id: `menu-${index}`,
    placeholder,
    options: choices.map(({ label, token }) => ({
      label: shorten(label, MAX_OPTION_LABEL),
      value: token,
    })),
  };
};

export const toComponents = (choices: readonly Choice[]): readonly JsonValue[] => {
  if (choices.length <= MAX_BUTTONS) return choices.length === 0 ? [] : [toRow(choices.map(toButton))];
  const menus = toGroups(choices.slice(0, MAX_CHOICES), IN_A_MENU);
  return menus.map((menu, index) => toRow([toMenu(menu, index, menus.length)]));
};
