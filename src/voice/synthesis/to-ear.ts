/**
 * A Markdown reply as it is said aloud. Pure.
 *
 * 1. Marks, addresses, emoji, code blocks and table bars are not heard; numbers, negations and names are.
 * 2. What is long, or mostly code, gives its first sentences and says where the rest is.
 */
import type { Block, Inline, ListItem, TableBlock, TableCell } from '../../core/markdown.js';
import type { EarText } from '../../core/voice.js';
import { drawnAnswer, toEarCode, toEarWords } from './ear-words.js';
import { guessLanguage } from './guess-language.js';
import { type Phrases, phrasesOf } from './phrases.js';
import { firstSentences } from './sentences.js';

/** About a minute and a half; more is read, not listened to. In UTF-16 units. */
const MAX_UNITS = 1_200;
const SUMMARY_UNITS = 350;
/** Rows of a table that can be followed by ear. */
const MAX_ROWS = 8;
/** More code than this share of the reply, and the words are about what one has to see. */
const CODE_SHARE = 0.6;

interface Walk {
  readonly phrases: Phrases;
  readonly said: string[];
  codeUnits: number;
  isCut: boolean;
}

const isSentenceEnd = (text: string): boolean => /[.!?…:;。！？：；][)"'»”’」』）]*$/u.test(text);

/** Said as a sentence of its own. */
const closed = (text: string): string => {
  if (text === '' || isSentenceEnd(text)) return text;
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(text) ? `${text}。` : `${text}.`;
};

const hasSound = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

const isAddress = (url: string, label: string): boolean => {
  const bare = (text: string): string => text.replace(/^(?:https?:\/\/|mailto:)/iu, '').replace(/\/$/u, '');
  return bare(url) === bare(label.trim());
};

const inlineText = (inline: Inline, walk: Walk): string => {
  switch (inline.type) {
    case 'text':
      return inline.text;
    case 'break':
      return '\n';
    case 'code':
      return toEarCode(inline.text, walk.phrases);
    case 'strike':
      // Taken back by whoever wrote it.
      return '';
    case 'strong':
    case 'emphasis':
    case 'spoiler':
      return rawText(inline.children, walk);
    case 'image':
    case 'link': {
      const label = rawText(inline.children, walk);
      if (inline.type === 'link' && /^mailto:/iu.test(inline.url)) return label;
      return inline.type === 'link' && (label.trim() === '' || isAddress(inline.url, label))
        ? walk.phrases.link
        : label;
    }
    default:
      return inline satisfies never;
  }
};

const rawText = (inlines: readonly Inline[], walk: Walk): string =>
  inlines.map((inline) => inlineText(inline, walk)).join('');

/** Lines of a paragraph are sentences of their own only where they end like some, or are items without marks. */
const say = (inlines: readonly Inline[], walk: Walk): string =>
  rawText(inlines, walk)
    .split('\n')
    .map((line) => toEarWords(line, walk.phrases))
    .filter(hasSound)
    .join(' ');

const sayCell = (cell: TableCell, walk: Walk): string =>
  drawnAnswer(rawText(cell, walk), walk.phrases) ?? say(cell, walk);

const walkTable = ({ header, rows }: TableBlock, walk: Walk): void => {
  const names = header.map((cell) => sayCell(cell, walk));
  if (rows.length === 0) walk.said.push(closed(names.filter((name) => name !== '').join(', ')));
  if (rows.length > MAX_ROWS) walk.isCut = true;
  for (const row of rows.slice(0, MAX_ROWS)) {
    const cells = row.map((cell, column) => {
      const value = sayCell(cell, walk);
      const name = names[column] ?? '';
      return value === '' || name === '' ? value : `${name}: ${value}`;
    });
    walk.said.push(closed(cells.filter((cell) => cell !== '').join(', ')));
  }
};

const walkItem = (item: ListItem, lead: string, walk: Walk): void => {
  const inner: Walk = { ...walk, said: [], codeUnits: 0, isCut: false };
  walkBlocks(item.children, inner);
  const [first = '', ...rest] = inner.said;
  const { done, open } = walk.phrases;
  const state = item.checked === undefined ? '' : `${item.checked ? done : open}: `;
  if (hasSound(first)) walk.said.push(`${lead}${state}${first}`);
  walk.said.push(...rest);
  walk.codeUnits += inner.codeUnits;
  walk.isCut ||= inner.isCut;
};

const walkBlocks = (blocks: readonly Block[], walk: Walk): void => {
  for (const block of blocks) {
    switch (block.type) {
      case 'paragraph':
      case 'heading':
        walk.said.push(closed(say(block.children, walk)));
        break;
      case 'list':
        for (const [index, item] of block.items.entries())
          walkItem(item, block.ordered ? `${block.start + index}: ` : '', walk);
        break;
      case 'quote':
        walkBlocks(block.children, walk);
        break;
      case 'code-block':
        walk.codeUnits += block.text.length;
        break;
      case 'table':
        walkTable(block, walk);
        break;
      case 'rule':
        break;
      default:
        block satisfies never;
    }
  }
};

const plainOf = (blocks: readonly Block[]): string => {
  const walk: Walk = { phrases: phrasesOf('en'), said: [], codeUnits: 0, isCut: false };
  walkBlocks(blocks, walk);
  return walk.said.join(' ');
};

export const toEar = (blocks: readonly Block[]): EarText & { readonly language: string } => {
  const language = guessLanguage(plainOf(blocks));
  const phrases = phrasesOf(language);
  const walk: Walk = { phrases, said: [], codeUnits: 0, isCut: false };
  walkBlocks(blocks, walk);
  const text = walk.said.filter(hasSound).join(' ').trim();
  if (!hasSound(text)) return { text: '', isWhole: false, language };
  const isCodeHeavy = walk.codeUnits / (walk.codeUnits + text.length) > CODE_SHARE;
  const isShort = text.length <= MAX_UNITS && !isCodeHeavy;
  const kept = isShort ? text : firstSentences(text, language, SUMMARY_UNITS);
  const isWhole = kept.length === text.length && walk.codeUnits === 0 && !walk.isCut;
  const isRestTold = kept.length < text.length || walk.isCut;
  const closing = isRestTold ? phrases.rest : walk.codeUnits > 0 ? phrases.code : '';
  return { text: closing === '' ? kept : `${closed(kept)} ${closing}`, isWhole, language };
};
