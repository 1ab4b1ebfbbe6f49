/** Keyboards under messages. */
import { badRequest } from '../api-error.js';
import { listParameter, objectParameter, type Parameters, textParameter } from '../parameters.js';
import { checkLink } from '../text/link.js';

const OTHER_MARKUP = ['keyboard', 'remove_keyboard', 'force_reply'];
const BUTTON_ACTIONS = [
  'callback_data',
  'url',
  'web_app',
  'login_url',
  'switch_inline_query',
  'switch_inline_query_current_chat',
  'switch_inline_query_chosen_chat',
  'copy_text',
  'callback_game',
  'pay',
];

/** The inline keyboard as it is stored and shown; undefined without one, and for the keyboards that a client keeps. */
export function parseReplyMarkup(params: Parameters): unknown {
  const given = params['reply_markup'];
  if (given === undefined || given === null || given === '') return undefined;
  const markup = objectParameter(params, 'reply_markup');
  if (markup === undefined) throw badRequest('object expected as reply markup');
  const rows = listParameter(markup, 'inline_keyboard');
  if (rows === undefined) {
    if (OTHER_MARKUP.some((name) => name in markup)) return undefined;
    throw badRequest("can't parse reply keyboard markup JSON object");
  }
  const keyboard = rows.map(parseRow).filter((row) => row.length > 0);
  if (keyboard.flat().length > 100) throw badRequest('reply markup is too long');
  return keyboard.length === 0 ? undefined : { inline_keyboard: keyboard };
}

function parseRow(row: unknown): Parameters[] {
  if (!Array.isArray(row))
    throw badRequest("can't parse inline keyboard markup: Expected an Array of Arrays");
  return row.map((button: unknown) => {
    const fields = objectParameter({ button }, 'button');
    if (fields === undefined) throw badRequest("can't parse inline keyboard button: Expected an Object");
    checkButton(fields);
    return fields;
  });
}

function checkButton(button: Parameters): void {
  const text = textParameter(button, 'text') ?? '';
  if (text.trim() === '') throw badRequest("can't parse inline keyboard button: Text must be non-empty");
  if (!BUTTON_ACTIONS.some((name) => button[name] !== undefined)) {
    throw badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
  }
  const data = textParameter(button, 'callback_data');
  if (data !== undefined && (data === '' || Buffer.byteLength(data) > 64))
    throw badRequest('BUTTON_DATA_INVALID');
  const url = textParameter(button, 'url');
  const checked = url === undefined ? undefined : checkLink(url);
  if (checked?.ok === false)
    throw badRequest(`inline keyboard button URL '${url}' is invalid: ${checked.reason}`);
}
