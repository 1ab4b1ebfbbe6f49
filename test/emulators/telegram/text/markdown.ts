/** `parse_mode: MarkdownV2`, every reserved character outside code escaped or refused, and the older `Markdown`. */
import { type ApiError, badRequest } from '../api-error.js';
import type { TextWithEntities } from './clean.js';
import { type Entity, linkOrMention } from './entity.js';
import { byteOffset, type Warn } from './fix.js';
import { checkLink } from './link.js';

const RESERVED: ReadonlySet<string> = new Set('_*[]()~`>#+-=|{}.!\n');

/** The server's names, as they stand in its complaints. */
type Kind =
  | 'Bold'
  | 'Italic'
  | 'Underline'
  | 'Strikethrough'
  | 'Spoiler'
  | 'Code'
  | 'Pre'
  | 'PreCode'
  | 'TextUrl'
  | 'CustomEmoji'
  | 'BlockQuote';

const MARKERS: Readonly<Partial<Record<Kind, string>>> = {
  Bold: '*',
  Italic: '_',
  Underline: '__',
  Strikethrough: '~',
  Spoiler: '||',
  Code: '`',
  Pre: '```',
  PreCode: '```',
};

const PLAIN_TYPES: Readonly<Partial<Record<Kind, string>>> = {
  Bold: 'bold',
  Italic: 'italic',
  Underline: 'underline',
  Strikethrough: 'strikethrough',
  Spoiler: 'spoiler',
  Code: 'code',
  Pre: 'pre',
};

interface Open {
  readonly kind: Kind;
  readonly offset: number;
  readonly sourceAt: number;
  readonly language: string | undefined;
}

interface State {
  readonly source: string;
  readonly warn: Warn;
  readonly open: Open[];
  readonly entities: Entity[];
  at: number;
  out: string;
  inQuote: boolean;
  expandable: boolean;
  /** Nothing has been written on this line yet, so `>` may begin a quote. */
  atLineStart: boolean;
}

function refusal(reason: string): ApiError {
  return badRequest(`can't parse entities: ${reason}`);
}

export function parseMarkdownV2(source: string, warn: Warn): TextWithEntities {
  const state: State = {
    source,
    warn,
    open: [],
    entities: [],
    at: 0,
    out: '',
    inQuote: false,
    expandable: false,
    atLineStart: true,
  };
  while (state.at < source.length) step(state);
  if (state.inQuote && state.open.at(-1)?.kind === 'BlockQuote') closeQuote(state);
  const last = state.open.at(-1);
  if (last !== undefined) throw unclosed(state, last);
  return { text: state.out, entities: state.entities };
}

function unclosed(state: State, open: Open): ApiError {
  return refusal(
    `Can't find end of ${open.kind} entity at byte offset ${byteOffset(state.source, open.sourceAt)}`,
  );
}

function step(state: State): void {
  const character = state.source[state.at] ?? '';
  const next = state.source[state.at + 1];
  if (character === '\\' && next !== undefined && next > '\0' && next <= '~') {
    write(state, next, 2);
    return;
  }
  const top = state.open.at(-1);
  const inCode = top?.kind === 'Code' || top?.kind === 'Pre' || top?.kind === 'PreCode';
  if (inCode ? character !== '`' : !RESERVED.has(character)) {
    write(state, character, 1);
    return;
  }
  if (!inCode && character === '\n') {
    breakLine(state, top);
    return;
  }
  if (top?.kind === 'BlockQuote' && endsExpandable(state)) {
    state.expandable = true;
    state.at += 2;
    return;
  }
  if (top !== undefined && closes(state, top)) close(state, top);
  else open(state, character);
}

function write(state: State, text: string, consumed: number): void {
  state.out += text;
  state.at += consumed;
  state.atLineStart = false;
}

/** The line break after a quote belongs to the quote. */
function breakLine(state: State, top: Open | undefined): void {
  const quoteGoesOn = state.inQuote && state.source[state.at + 1] === '>';
  if (state.inQuote && !quoteGoesOn && top !== undefined && top.kind !== 'BlockQuote')
    throw unclosed(state, top);
  write(state, '\n', quoteGoesOn ? 2 : 1);
  if (state.inQuote && !quoteGoesOn) closeQuote(state);
  state.atLineStart = !state.inQuote;
}

function endsExpandable(state: State): boolean {
  const rest = state.source.slice(state.at, state.at + 4);
  return rest === '||' || (rest.startsWith('||\n') && rest[3] !== '>');
}

function closes(state: State, top: Open): boolean {
  const { source, at } = state;
  switch (top.kind) {
    case 'Italic':
      return source[at] === '_' && source[at + 1] !== '_';
    case 'TextUrl':
    case 'CustomEmoji':
      return source[at] === ']';
    case 'BlockQuote':
      return false;
    default:
      return source.startsWith(MARKERS[top.kind] ?? '\0', at);
  }
}

function open(state: State, character: string): void {
  const { source, at } = state;
  if (state.atLineStart && source.startsWith('**>', at)) {
    // An empty bold is how one writes two quotes in a row.
    state.at += 2;
    return;
  }
  const kind = openingKind(state, character);
  if (kind === undefined) {
    throw refusal(`Character '${character}' is reserved and must be escaped with the preceding '\\'`);
  }
  if (kind === 'Pre') {
    openPre(state);
    return;
  }
  state.at += kind === 'CustomEmoji' ? 2 : (MARKERS[kind]?.length ?? 1);
  if (kind === 'BlockQuote') {
    state.inQuote = true;
    state.expandable = false;
  }
  state.open.push({ kind, offset: state.out.length, sourceAt: at, language: undefined });
  state.atLineStart = false;
}

function openingKind(state: State, character: string): Kind | undefined {
  const next = state.source[state.at + 1];
  switch (character) {
    case '_':
      return next === '_' ? 'Underline' : 'Italic';
    case '*':
      return 'Bold';
    case '~':
      return 'Strikethrough';
    case '|':
      return next === '|' ? 'Spoiler' : undefined;
    case '[':
      return 'TextUrl';
    case '`':
      return state.source.startsWith('```', state.at) ? 'Pre' : 'Code';
    case '!':
      return next === '[' ? 'CustomEmoji' : undefined;
    case '>':
      return state.atLineStart && !state.inQuote ? 'BlockQuote' : undefined;
    default:
      return undefined;
  }
}

function openPre(state: State): void {
  const sourceAt = state.at;
  const head = readFence(state.source, state.at + 3);
  state.at = head.at;
  state.open.push({
    kind: head.language === undefined ? 'Pre' : 'PreCode',
    offset: state.out.length,
    sourceAt,
    language: head.language,
  });
  state.atLineStart = false;
}

/** Reads the language after an opening fence, and one line break. */
function readFence(source: string, at: number): { language: string | undefined; at: number } {
  const word = /^[^\s`]+/.exec(source.slice(at))?.[0] ?? '';
  const after = source[at + word.length];
  const language = word !== '' && after !== undefined && after !== '`' ? word : undefined;
  const codeAt = language === undefined ? at : at + word.length;
  const lineBreak = /^(?:\r\n|\n\r|\n|\r)/.exec(source.slice(codeAt, codeAt + 2))?.[0] ?? '';
  return { language, at: codeAt + lineBreak.length };
}

function close(state: State, top: Open): void {
  state.open.pop();
  const offset = top.offset;
  const length = state.out.length - offset;
  if (top.kind === 'TextUrl' || top.kind === 'CustomEmoji') {
    closeLink(state, top, length);
    return;
  }
  state.at += MARKERS[top.kind]?.length ?? 1;
  state.atLineStart = false;
  if (length === 0) return;
  const type = PLAIN_TYPES[top.kind];
  if (type !== undefined) state.entities.push({ type, offset, length });
  else if (top.language !== undefined)
    state.entities.push({ type: 'pre', offset, length, language: top.language });
}

function closeLink(state: State, top: Open, length: number): void {
  const offset = top.offset;
  const target = state.source[state.at + 1] === '(' ? readTarget(state, top.kind) : undefined;
  if (target === undefined) state.at += 1;
  if (top.kind === 'CustomEmoji') {
    const id = /^tg:\/\/emoji\/?\?id=([1-9]\d*)$/.exec(target ?? '')?.[1];
    if (id === undefined) throw refusal('Custom emoji entity must contain a tg://emoji URL');
    state.entities.push({ type: 'custom_emoji', offset, length, custom_emoji_id: id });
    return;
  }
  const checked = checkLink(target ?? state.out.slice(offset));
  if (length > 0 && checked.ok) {
    state.entities.push(linkOrMention({ type: 'text_link', offset, length, url: checked.url }));
  } else if (length > 0) {
    state.warn(`link-dropped: ${target ?? ''}`);
  }
}

function readTarget(state: State, kind: Kind): string {
  const start = state.at + 2;
  let target = '';
  let at = start;
  while (at < state.source.length && state.source[at] !== ')') {
    const next = state.source[at + 1];
    const escaped = state.source[at] === '\\' && next !== undefined && next > '\0' && next <= '~';
    target += escaped ? next : state.source[at];
    at += escaped ? 2 : 1;
  }
  if (at >= state.source.length) {
    const what = kind === 'CustomEmoji' ? 'a custom emoji URL' : 'a URL';
    throw refusal(`Can't find end of ${what} at byte offset ${byteOffset(state.source, start)}`);
  }
  state.at = at + 1;
  return target;
}

function closeQuote(state: State): void {
  const quote = state.open.pop();
  state.inQuote = false;
  const offset = quote?.offset ?? 0;
  const length = state.out.length - offset;
  const type = state.expandable ? 'expandable_blockquote' : 'blockquote';
  if (length > 0) state.entities.push({ type, offset, length });
}

/** The older mode: four markers, no nesting, an unclosed one refused. */
export function parseMarkdown(source: string, warn: Warn): TextWithEntities {
  const entities: Entity[] = [];
  let out = '';
  let at = 0;
  while (at < source.length) {
    const character = source[at] ?? '';
    if (character === '\\' && '_*`['.includes(source[at + 1] ?? '\0')) {
      out += source[at + 1];
      at += 2;
    } else if (!'_*`['.includes(character)) {
      out += character;
      at += 1;
    } else {
      const piece = readOldEntity(source, at, character, out.length, warn);
      out += piece.text;
      if (piece.entity !== undefined && piece.text.length > 0) entities.push(piece.entity);
      at = piece.at;
    }
  }
  return { text: out, entities };
}

function readOldEntity(
  source: string,
  begin: number,
  marker: string,
  offset: number,
  warn: Warn,
): { text: string; entity: Entity | undefined; at: number } {
  const isPre = source.startsWith('```', begin);
  const head = isPre ? readFence(source, begin + 3) : { language: undefined, at: begin + 1 };
  const closing = isPre ? '```' : marker === '[' ? ']' : marker;
  const end = source.indexOf(closing, head.at);
  if (end < 0)
    throw refusal(`Can't find end of the entity starting at byte offset ${byteOffset(source, begin)}`);
  const text = source.slice(head.at, end);
  const after = end + closing.length;
  const bounds = { offset, length: text.length };
  if (marker === '`') {
    const type = isPre ? 'pre' : 'code';
    const entity =
      head.language === undefined ? { type, ...bounds } : { type, ...bounds, language: head.language };
    return { text, entity, at: after };
  }
  if (marker !== '[')
    return { text, entity: { type: marker === '_' ? 'italic' : 'bold', ...bounds }, at: after };
  const closeAt = source[after] === '(' ? source.indexOf(')', after) : -1;
  const target = closeAt < 0 ? text : source.slice(after + 1, closeAt);
  const checked = checkLink(target);
  if (!checked.ok) warn(`link-dropped: ${target}`);
  const entity = checked.ok ? linkOrMention({ type: 'text_link', ...bounds, url: checked.url }) : undefined;
  return { text, entity, at: closeAt < 0 ? after : closeAt + 1 };
}
