/** `parse_mode: HTML`, as strict as the server: known tags only, properly nested, every tag closed. */
import { type ApiError, badRequest } from '../api-error.js';
import type { TextWithEntities } from './clean.js';
import { type Entity, linkOrMention } from './entity.js';
import { byteOffset, type Warn } from './fix.js';
import { checkLink } from './link.js';

const TAG_TYPES: ReadonlyMap<string, string> = new Map([
  ['b', 'bold'],
  ['strong', 'bold'],
  ['i', 'italic'],
  ['em', 'italic'],
  ['u', 'underline'],
  ['ins', 'underline'],
  ['s', 'strikethrough'],
  ['strike', 'strikethrough'],
  ['del', 'strikethrough'],
  ['tg-spoiler', 'spoiler'],
  ['span', 'spoiler'],
  ['tg-emoji', 'custom_emoji'],
  ['a', 'text_link'],
  ['code', 'code'],
  ['pre', 'pre'],
  ['blockquote', 'blockquote'],
]);

interface OpenTag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly offset: number;
}

interface State {
  readonly source: string;
  readonly warn: Warn;
  readonly open: OpenTag[];
  readonly entities: Entity[];
  at: number;
  out: string;
}

function refusal(reason: string): ApiError {
  return badRequest(`can't parse entities: ${reason}`);
}

export function parseHtml(source: string, warn: Warn): TextWithEntities {
  const state: State = { source, warn, open: [], entities: [], at: 0, out: '' };
  while (state.at < source.length) {
    const character = source[state.at];
    if (character === '&') readReference(state);
    else if (character !== '<') {
      state.out += character;
      state.at += 1;
    } else if (source[state.at + 1] === '/') readEndTag(state);
    else readStartTag(state);
  }
  const unclosed = state.open.at(-1);
  if (unclosed !== undefined)
    throw refusal(`Can't find end tag corresponding to start tag "${unclosed.name}"`);
  if (/\p{Surrogate}/u.test(state.out)) {
    throw refusal(
      'Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units',
    );
  }
  return { text: state.out, entities: state.entities };
}

function readReference(state: State): void {
  const decoded = decodeReference(state.source, state.at);
  state.out += decoded?.character ?? '&';
  state.at += decoded?.length ?? 1;
}

/** Only four names are known; anything else stays as written. The semicolon may be missing. */
function decodeReference(source: string, at: number): { character: string; length: number } | undefined {
  const match = /^&(?:#x([0-9a-f]+)|#([0-9]+)|([a-z]+));?/i.exec(source.slice(at, at + 16));
  if (match === null) return undefined;
  const [all, hexadecimal, decimal, name] = match;
  if (name !== undefined) {
    const character = { lt: '<', gt: '>', amp: '&', quot: '"' }[name];
    return character === undefined ? undefined : { character, length: all.length };
  }
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  if (code === 0 || code >= 0x10ffff) return undefined;
  return { character: String.fromCodePoint(code), length: all.length };
}

function readStartTag(state: State): void {
  const { source, at } = state;
  const where = `at byte offset ${byteOffset(source, at)}`;
  const nameEnd = indexOfPattern(source, /[\s>]/g, at + 1);
  if (nameEnd < 0) throw refusal(`Unclosed start tag ${where}`);
  const name = source.slice(at + 1, nameEnd).toLowerCase();
  if (!TAG_TYPES.has(name)) throw refusal(`Unsupported start tag "${name}" ${where}`);
  state.at = nameEnd;
  const attributes = readAttributes(state, name, where);
  if (name === 'span' && attributes.get('class') !== 'tg-spoiler') {
    throw refusal(`Tag "span" must have class "tg-spoiler" ${where}`);
  }
  state.open.push({ name, attributes, offset: state.out.length });
}

function readAttributes(state: State, tag: string, where: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (;;) {
    skipSpaces(state);
    if (state.at >= state.source.length) throw refusal(`Unclosed start tag ${where}`);
    if (state.source[state.at] === '>') {
      state.at += 1;
      return attributes;
    }
    const nameEnd = indexOfPattern(state.source, /[\s=>]/g, state.at);
    const name = nameEnd < 0 ? '' : state.source.slice(state.at, nameEnd);
    if (name === '') throw refusal(`Empty attribute name in the tag "${tag}" ${where}`);
    state.at = nameEnd;
    skipSpaces(state);
    if (state.source[state.at] !== '=') {
      if (name !== 'expandable') {
        throw refusal(`Expected equal sign in declaration of an attribute of the tag "${tag}" ${where}`);
      }
      attributes.set(name, '');
      continue;
    }
    state.at += 1;
    skipSpaces(state);
    attributes.set(name, readAttributeValue(state, where));
  }
}

function readAttributeValue(state: State, where: string): string {
  const quote = state.source[state.at];
  if (quote !== '"' && quote !== "'") {
    const token = /^[a-z0-9.-]*/i.exec(state.source.slice(state.at))?.[0] ?? '';
    const start = state.at;
    state.at += token.length;
    if (!/^[\s>]/.test(state.source.slice(state.at, state.at + 1))) {
      throw refusal(`Unexpected end of name token at byte offset ${byteOffset(state.source, start)}`);
    }
    return token.toLowerCase();
  }
  const end = state.source.indexOf(quote, state.at + 1);
  if (end < 0) throw refusal(`Unclosed start tag ${where}`);
  const raw = state.source.slice(state.at + 1, end);
  state.at = end + 1;
  return raw.replace(/&[#\w]+;?/g, (reference) => {
    const decoded = decodeReference(reference, 0);
    return decoded === undefined ? reference : decoded.character + reference.slice(decoded.length);
  });
}

function readEndTag(state: State): void {
  const { source, at } = state;
  const where = `at byte offset ${byteOffset(source, at)}`;
  const tag = state.open.pop();
  if (tag === undefined) throw refusal(`Unexpected end tag ${where}`);
  const close = indexOfPattern(source, />/g, at);
  const name = source
    .slice(at + 2, close < 0 ? undefined : close)
    .toLowerCase()
    .trimEnd();
  if (close < 0 || /\s/.test(name)) throw refusal(`Unclosed end tag ${where}`);
  if (name !== '' && name !== tag.name) {
    throw refusal(`Unmatched end tag ${where}, expected "</${tag.name}>", found "</${name}>"`);
  }
  state.at = close + 1;
  if (state.out.length > tag.offset) addEntity(state, tag);
}

function addEntity(state: State, tag: OpenTag): void {
  const offset = tag.offset;
  const length = state.out.length - offset;
  const type = TAG_TYPES.get(tag.name) ?? 'bold';
  switch (tag.name) {
    case 'a': {
      const target = tag.attributes.get('href') ?? '';
      const checked = checkLink(target === '' ? state.out.slice(offset) : target);
      if (checked.ok) state.entities.push(linkOrMention({ type, offset, length, url: checked.url }));
      else state.warn(`link-dropped: ${target}`);
      return;
    }
    case 'tg-emoji': {
      const id = tag.attributes.get('emoji-id') ?? '';
      if (!/^[1-9]\d*$/.test(id))
        throw badRequest("can't parse entities: Invalid custom emoji identifier specified");
      state.entities.push({ type, offset, length, custom_emoji_id: id });
      return;
    }
    case 'blockquote':
      state.entities.push({
        type: tag.attributes.has('expandable') ? 'expandable_blockquote' : type,
        offset,
        length,
      });
      return;
    case 'code':
    case 'pre':
      addCode(state, tag, type, length);
      return;
    default:
      state.entities.push({ type, offset, length });
  }
}

/** `<pre><code class="language-x">` over the same text is one entity with a language, in either order. */
function addCode(state: State, tag: OpenTag, type: string, length: number): void {
  const offset = tag.offset;
  const language = /^language-(.+)$/s.exec(tag.attributes.get('class') ?? '')?.[1];
  const inner = state.entities.at(-1);
  const parent = state.open.at(-1);
  if (type === 'code' && language !== undefined && parent?.name === 'pre' && parent.offset === offset) {
    state.entities.push({ type: 'pre', offset, length, language });
    return;
  }
  if (type === 'pre' && inner?.type === 'pre' && inner.offset === offset) {
    if (inner.length === length) return;
    state.entities.pop();
    state.entities.push({ type: 'code', offset, length: inner.length });
  }
  state.entities.push({ type, offset, length });
}

function skipSpaces(state: State): void {
  while (/\s/.test(state.source[state.at] ?? '')) state.at += 1;
}

function indexOfPattern(source: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(source)?.index ?? -1;
}
