/**
 * Our changes to markdown-it's grammar: spoilers, addresses in angle brackets, reference definitions, and the
 * guards that keep parsing linear on hostile input.
 *
 * 1. A guard turns what it stops into text, it never drops any. (markdown-it alone drops everything nested
 *    deeper than its limit.)
 * 2. Label scanning has a budget per document. (A run of `[` is quadratic otherwise: seconds for 100 KB.)
 */
import type { Delimiter, Env, MarkdownIt, StateBlock, StateInline } from 'markdown-it';

/** Nesting level from which blocks are text; a list takes two levels, a quote one. */
const MAX_BLOCK_LEVEL = 16;
/** Nobody types more markers in a row to format; each marker of a run costs a token. */
const MAX_MARKER_RUN = 16;

const PIPE = 124;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const LESS_THAN = 60;

/** Environment for parsing one document. The budget allows every label to be scanned several times. */
export function createParseEnv(source: string): Env {
  return { labelBudget: source.length * 16 + 1000 };
}

export function addRules(parser: MarkdownIt): void {
  parser.helpers = { ...parser.helpers, parseLinkLabel };
  parser.block.ruler.before('table', 'depth_limit', depthLimit);
  parser.block.ruler.at('reference', definition);
  parser.inline.ruler.at('text', plainRun);
  parser.inline.ruler.before('strikethrough', 'long_run', longMarkerRun);
  parser.inline.ruler.before('strikethrough', 'spoiler', spoilerMarker);
  parser.inline.ruler.at('autolink', angleAddress);
  parser.inline.ruler2.after('emphasis', 'spoiler', pairSpoilers);
}

/** Finds the bracket that closes the label opening at `start`, or -1; nested links are not allowed in a link. */
function parseLinkLabel(state: StateInline, start: number, disableNested?: boolean): number {
  const { src, env, posMax } = state;
  const before = state.pos;
  let budget = Number(env['labelBudget']);
  let depth = 1;
  let end = -1;
  state.pos = start + 1;
  while (state.pos < posMax && budget > 0) {
    budget -= 1;
    const at = state.pos;
    const unit = src.charCodeAt(at);
    if (unit === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) {
        end = at;
        break;
      }
    }
    env['labelBudget'] = budget;
    state.md.inline.skipToken(state);
    budget = Number(env['labelBudget']);
    if (unit !== OPEN_BRACKET) continue;
    if (state.pos === at + 1) depth += 1;
    else if (disableNested === true) break;
  }
  env['labelBudget'] = budget;
  state.pos = before;
  return end;
}

function depthLimit(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (silent || state.level < MAX_BLOCK_LEVEL) return false;
  let next = startLine + 1;
  while (next < endLine && (state.isEmpty(next) || belongsToBlock(state, next))) next += 1;
  pushParagraph(state, startLine, next, state.getLines(startLine, next, state.blkIndent, false).trim());
  state.line = next;
  return true;
}

/** A negative indent marks a lazy continuation line of a quote. */
function belongsToBlock(state: StateBlock, line: number): boolean {
  const indent = state.sCount[line] ?? 0;
  return indent < 0 || indent >= state.blkIndent;
}

function pushParagraph(state: StateBlock, startLine: number, endLine: number, content: string): void {
  state.push('paragraph_open', 'p', 1).map = [startLine, endLine];
  const inline = state.push('inline', '', 0);
  inline.map = [startLine, endLine];
  inline.content = content;
  inline.children = [];
  state.push('paragraph_close', 'p', -1);
}

const DEFINITION =
  /^\[([^[\]\\]{1,999})\]:[ \t]+<?((?:https?|tg|mailto):[^\s<>]+)>?(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/i;

/**
 * `[label]: https://…` on one line. Only full addresses count, since models write `[INFO]: done` as text; the
 * source stays in the token, so that a definition nothing refers to can still be shown.
 */
function definition(state: StateBlock, line: number, _endLine: number, silent: boolean): boolean {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  if (silent || state.src.charCodeAt(start) !== OPEN_BRACKET) return false;
  const source = state.src.slice(start, state.eMarks[line]);
  const [, label = '', url = ''] = DEFINITION.exec(source) ?? [];
  const key = state.md.utils.normalizeReference(label);
  if (key === '' || label.startsWith('^')) return false;
  state.env.references ??= Object.create(null) as NonNullable<Env['references']>; // null: labels are anybody's words
  state.env.references[key] ??= { title: '', href: url };
  const token = state.push('definition', '', 0);
  token.map = [line, line + 1];
  token.content = source;
  token.meta = { label: key };
  state.line = line + 1;
  return true;
}

/** Characters that some inline rule starts with, and the bracket that ends a label. */
const SPECIAL = new Set(
  ['\n', '!', '&', '*', '<', '[', '\\', ']', '_', '`', '|', '~'].map((it) => it.charCodeAt(0)),
);

function plainRun(state: StateInline, silent: boolean): boolean {
  let end = state.pos;
  while (end < state.posMax && !SPECIAL.has(state.src.charCodeAt(end))) end += 1;
  if (end === state.pos) return false;
  if (!silent) state.pending += state.src.slice(state.pos, end);
  state.pos = end;
  return true;
}

function longMarkerRun(state: StateInline, silent: boolean): boolean {
  const unit = state.src.charCodeAt(state.pos);
  if (unit !== 42 && unit !== 95 && unit !== 126 && unit !== PIPE) return false;
  let end = state.pos + 1;
  while (end < state.posMax && state.src.charCodeAt(end) === unit) end += 1;
  if (end - state.pos <= MAX_MARKER_RUN) return false;
  if (!silent) state.pending += state.src.slice(state.pos, end);
  state.pos = end;
  return true;
}

/** `||` as a delimiter. Between ASCII words it is the or-operator of some programming language, not a spoiler. */
function spoilerMarker(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (silent || src.charCodeAt(pos) !== PIPE) return false;
  const scanned = state.scanDelims(pos, true);
  if (scanned.length !== 2) return false;
  state.push('text', '', 0).content = '||';
  state.delimiters.push({
    marker: PIPE,
    length: 0,
    token: state.tokens.length - 1,
    end: -1,
    open: scanned.can_open && !/[\w)\]]/.test(src.charAt(pos - 1)),
    close: scanned.can_close && !/[\w([]/.test(src.charAt(pos + 2)),
  });
  state.pos += 2;
  return true;
}

function pairSpoilers(state: StateInline): boolean {
  pairSpoilersOf(state, state.delimiters);
  for (const meta of state.tokens_meta) {
    if (meta?.delimiters) pairSpoilersOf(state, meta.delimiters);
  }
  return true;
}

function pairSpoilersOf(state: StateInline, delimiters: readonly Delimiter[]): void {
  for (const opener of delimiters) {
    const closer = delimiters[opener.end];
    if (opener.marker !== PIPE || closer === undefined) continue;
    retype(state, opener.token, 'spoiler_open', 1);
    retype(state, closer.token, 'spoiler_close', -1);
  }
}

function retype(state: StateInline, index: number, type: string, nesting: 1 | -1): void {
  const token = state.tokens[index];
  if (token === undefined) return;
  token.type = type;
  token.nesting = nesting;
  token.content = '';
}

const ANGLE_URL = /<((?:https?|tg|mailto):[^\s<>]+)>/iy;
const ANGLE_EMAIL = /<[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d.-]{1,255}>/iy;

/**
 * `<https://…>` is a link. An e-mail address keeps its brackets, as a mail header is typed; `<std::string>` and
 * other made-up schemes are text.
 */
function angleAddress(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== LESS_THAN) return false;
  ANGLE_URL.lastIndex = pos;
  const url = ANGLE_URL.exec(src)?.[1];
  if (url !== undefined && pos + url.length + 2 <= state.posMax) {
    if (!silent) {
      state.push('link_open', 'a', 1).attrs = [['href', url]];
      state.push('text', '', 0).content = url;
      state.push('link_close', 'a', -1);
    }
    state.pos += url.length + 2;
    return true;
  }
  ANGLE_EMAIL.lastIndex = pos;
  const email = ANGLE_EMAIL.exec(src)?.[0];
  if (email === undefined || pos + email.length > state.posMax) return false;
  if (!silent) state.pending += email;
  state.pos += email.length;
  return true;
}
