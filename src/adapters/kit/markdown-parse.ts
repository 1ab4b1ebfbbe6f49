/** Markdown (CommonMark with tables, strike-through, tasks, `||spoilers||`) to the tree. Pure and synchronous. */
import Parser, { type MarkdownIt } from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import type { Block, Inline } from '../../core/markdown.js';
import { formattedEnd } from './markdown-budget.js';
import { buildBlocks } from './markdown-build.js';
import { trimInlines } from './markdown-inline.js';
import { addRules, createParseEnv } from './markdown-rules.js';

let parser: MarkdownIt | undefined;

/**
 * Made at the first use, since it costs milliseconds. `html` lets the parser recognise tags, so that marks
 * inside them stay as typed; blocks of HTML stay off, so that the Markdown between tags is formatted.
 */
function sharedParser(): MarkdownIt {
  if (parser === undefined) {
    parser = new Parser({ html: true });
    // Addresses stay as typed: each platform decides which of them it links.
    parser.validateLink = () => true;
    parser.normalizeLink = (url) => url;
    parser.disable(['html_block', 'linkify', 'replacements', 'smartquotes']);
    parser.use(cjkFriendly);
    addRules(parser);
  }
  return parser;
}

/** Never throws; time is bounded, see {@link formattedEnd}. Nothing visible gives an empty array. */
export function parseMarkdown(markdown: string): readonly Block[] {
  const clean = cleanText(markdown);
  const end = formattedEnd(clean);
  const source = clean.slice(0, end);
  const blocks = buildBlocks(sharedParser().parse(source, createParseEnv(source)), source.split('\n'));
  return end === clean.length ? blocks : [...blocks, ...asTyped(clean.slice(end))];
}

function asTyped(text: string): readonly Block[] {
  const lines = text
    .split('\n')
    .map((line): readonly Inline[] => (line === '' ? [] : [{ type: 'text', text: line }]));
  const children = trimInlines(lines.flatMap((line, index) => (index === 0 ? line : [lineEnd, ...line])));
  return children.length === 0 ? [] : [{ type: 'paragraph', spaced: true, children }];
}

const lineEnd: Inline = { type: 'break' };

const LONE_SURROGATE = /\p{Surrogate}/gu;
const CONTROL = /(?![\t\n])\p{Cc}/gu;

/** Text that every platform and store accepts: \n line ends, no control characters but tabs, U+FFFD for lone surrogates. */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROL, '').replace(LONE_SURROGATE, '\uFFFD');
}
