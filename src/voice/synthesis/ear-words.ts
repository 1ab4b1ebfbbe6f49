/**
 * A run of text as it is said. Pure.
 * What is dropped carries no number, no negation and no name: those are kept whatever stands around them.
 */
import type { Phrases } from './phrases.js';

const url = /\b(?:https?|ftp|wss?|file):\/\/[^\s<>"'）】」]*[^\s<>"'.,;:!?)\]}）】」。，；：！？]/giu;
const wwwAddress = /\bwww\.[^\s<>"']+[^\s<>"'.,;:!?)\]}]/giu;
/** Absolute, or of several segments below the home: only its last name says something. */
const path =
  /(^|[\s("'「（：:])(?:(?:~|\.{1,2})(?:\/[\p{L}\p{N}._@+-]+)+|(?:\/[\p{L}\p{N}._@+-]+){2,})\/?/giu;
const windowsPath = /\b[A-Z]:\\(?:[^\s\\]+\\)*([^\s\\]+)/giu;
const htmlTag =
  /<\/?(?:a|b|br|code|details|div|em|h[1-6]|hr|i|img|kbd|li|mark|ol|p|pre|s|small|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]*)?\/?>/giu;
/** A no that is drawn. */
const drawnNo = /[❌✗✘🚫⛔👎]\uFE0F?/gu;
const drawnYes = /[✅✓✔☑👍]\uFE0F?/gu;
const keycap = /([0-9#*])\uFE0F?\u20E3/gu;
const emoji =
  /\p{Regional_Indicator}{2}|\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier}|\u200D\p{Extended_Pictographic}\uFE0F?)*/gu;
/** Identifiers that nobody can follow: long, with digits among their letters. */
const machineWord = /(?<![\p{L}\p{N}])(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+/=-]{25,}(?![\p{L}\p{N}])/gu;

const lastOf = (whole: string): string => whole.replace(/\/+$/u, '').split('/').at(-1) ?? '';

/** A cell or an item that is nothing but a sign. */
export const drawnAnswer = (text: string, { yes, no }: Phrases): string | undefined => {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (trimmed.replace(drawnYes, '') === '') return yes;
  return trimmed.replace(drawnNo, '') === '' ? no : undefined;
};

export const toEarWords = (text: string, { link, no }: Phrases): string =>
  text
    .replace(/[\r\n\t]+/gu, ' ')
    .replace(/[\p{Cc}\p{Cs}\u200B\u2060\uFEFF]/gu, '')
    .replace(url, link)
    .replace(wwwAddress, link)
    .replace(htmlTag, ' ')
    .replace(path, (whole, before: string) => `${before}${lastOf(whole)}`)
    .replace(windowsPath, '$1')
    .replace(keycap, '$1')
    .replace(drawnNo, ` ${no}: `)
    .replace(emoji, ' ')
    .replace(/[\uFE0E\uFE0F]/gu, '')
    .replace(machineWord, ' ')
    .replace(/\s*(?:→|⇒|->|=>)\s*/gu, ', ')
    .replace(/(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}])/gu, ' ')
    .replace(/\*{2,}|_{2,}|`+|~{2,}|\|{2,}|#{2,}|={3,}|-{3,}/gu, ' ')
    .replace(/\*(?=\p{L})|(?<=\p{L})\*/gu, '')
    .replace(/(?:^|\s)[|*#•·▪►]+(?=\s|$)/gu, ' ')
    .replace(/[([（【]\s*[)\]）】]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .replace(/\s+(?=[.,;:!?。，；：！？)])/gu, '')
    .replace(/([,:;]) ?(?=[,:;.])/gu, '')
    .trim();

/** Code amid words: names and numbers of it, and what turns it into its opposite. */
export const toEarCode = (code: string, phrases: Phrases): string => {
  if (/^[\w.+-]+@|:\/\//u.test(code) || /[/\\]/u.test(code)) return toEarWords(code, phrases);
  const spelled = code
    .replace(/!==?|<>/gu, ' ≠ ')
    .replace(/!(?=[\p{L}_(])/gu, 'not ')
    .replace(/[()[\]{};"'`$\\]+/gu, ' ')
    .replace(/={2,3}/gu, ' = ');
  return toEarWords(spelled, phrases);
};
