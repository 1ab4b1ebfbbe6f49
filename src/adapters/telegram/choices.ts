import type { ChoicesFacet } from '../../core/platform.js';
import { fieldsOf, nameOf, shorten } from '../kit/fields.js';
import type { TelegramClient } from './client.js';
import { toPlatformError } from './errors.js';
import { MAX_BUTTONS } from './keyboard.js';

/** Bot API limit for what is told to whoever pressed. */
const MAX_ANSWER_LENGTH = 200;
/** A press that waits longer is no longer waited for. */
const ANSWER_LIMIT_MS = 10_000;

export const createChoices = (client: TelegramClient): ChoicesFacet => ({
  maxChoices: MAX_BUTTONS,
  async acknowledge(press, text, { signal }) {
    const id = nameOf(fieldsOf(press)?.['query']);
    if (id === undefined) return;
    const shown = text === undefined ? {} : { text: shorten(text, MAX_ANSWER_LENGTH) };
    const payload = { callback_query_id: id, ...shown };
    const result = await client.call('answerCallbackQuery', payload, { signal, limitMs: ANSWER_LIMIT_MS });
    if (!result.ok) throw toPlatformError(result.failure);
  },
});
