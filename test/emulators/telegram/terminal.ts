/** A message as a terminal can show it: the same marks a person would see in the app, in colours and styles. */
import type { ChatMessage } from './protocol.js';

const RESET = '\u001b[0m';

const STYLES: Readonly<Record<string, string>> = {
  bold: '\u001b[1m',
  italic: '\u001b[3m',
  underline: '\u001b[4m',
  strikethrough: '\u001b[9m',
  spoiler: '\u001b[2m',
  blockquote: '\u001b[90m',
  expandable_blockquote: '\u001b[90m',
  code: '\u001b[33m',
  pre: '\u001b[33m',
  text_link: '\u001b[4;34m',
  url: '\u001b[4;34m',
  mention: '\u001b[36m',
  bot_command: '\u001b[36m',
};

export function toTerminalText(message: ChatMessage): string {
  const { text, entities } = message;
  const bounds = new Set([0, text.length]);
  for (const entity of entities) bounds.add(entity.offset).add(entity.offset + entity.length);
  const cuts = [...bounds].sort((a, b) => a - b);
  let shown = message.media === undefined ? '' : `[${message.media}] `;
  for (const [index, start] of cuts.entries()) {
    const end = cuts[index + 1];
    if (end === undefined) break;
    const over = entities.filter((entity) => entity.offset <= start && end <= entity.offset + entity.length);
    const style = over.map((entity) => STYLES[entity.type] ?? '').join('');
    shown += style === '' ? text.slice(start, end) : `${style}${text.slice(start, end)}${RESET}`;
    // A terminal hides where a labelled link leads, a person in the app can hover.
    for (const entity of over)
      if (entity.url !== undefined && entity.offset + entity.length === end) shown += ` (${entity.url})`;
  }
  const buttons = message.buttons.map((row) => row.map((button) => `[ ${button.text} ]`).join(' '));
  return [shown, ...buttons].join('\n');
}
