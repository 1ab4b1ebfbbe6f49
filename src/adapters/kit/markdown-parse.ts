/** Markdown (CommonMark with tables, strike-through, tasks, `||spoilers||`) to the tree. Pure and synchronous. */
import Parser, { type MarkdownIt } from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import { buildBlocks } from './markdown-build.js';
import { addRules, createParseEnv } from './markdown-rules.js';
import type { Block } from './markdown-tree.js';

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

/** Never throws; time is linear in the length of the source. Nothing visible gives an empty array. */
export function parseMarkdown(markdown: string): readonly Block[] {
  const source = cleanText(markdown);
  return buildBlocks(sharedParser().parse(source, createParseEnv(source)), source.split('\n'));
}

const LONE_SURROGATE = /\p{Surrogate}/gu;
const CONTROL = /(?![\t\n])\p{Cc}/gu;

/** Text that every platform and store accepts: \n line ends, no control characters but tabs, U+FFFD for lone surrogates. */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROL, '').replace(LONE_SURROGATE, '\uFFFD');
}
