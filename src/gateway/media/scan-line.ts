/**
 * Finds media tags in one line of an answer. Pure; knows nothing of files: where several readings of a path are
 * possible, it gives them all, the likeliest first.
 */

export type MediaFlag = 'as-voice' | 'as-document';

export type DirectiveSource =
  | { readonly type: 'path'; readonly path: string }
  | { readonly type: 'url'; readonly url: string }
  /** An address of a kind that is never fetched. */
  | { readonly type: 'refused'; readonly address: string };

export interface Reading {
  readonly source: DirectiveSource;
  /** Where the tag ends, counted from its begin. */
  readonly length: number;
}

export type LineSegment =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'flag'; readonly flag: MediaFlag; readonly raw: string }
  /** `raw` reaches to the end of what could belong to it; behind the chosen reading it is text. */
  | { readonly type: 'directive'; readonly raw: string; readonly readings: readonly [Reading, ...Reading[]] };

export interface ScannedLine {
  readonly segments: readonly LineSegment[];
  /** Tags in code or quotation marks, which are none. */
  readonly leftAlone: number;
}

const extensions =
  'png|jpe?g|gif|webp|bmp|tiff?|svg|mp4|mov|avi|mkv|webm|3gp|mp3|m2a|wav|ogg|oga|opus|m4a|aac|flac|pdf|docx?|odt|rtf|txt|md|epub|log|' +
  'xlsx?|ods|csv|tsv|json|xml|ya?ml|kmz|kml|geojson|gpx|pptx?|odp|key|zip|tar|gz|tgz|bz2|xz|7z|rar|apk|ipa|html?';
const closers = '"\'`)\\]}>,;:!?*_|<”“’»。，、！？；：）】》」』';
/** An extension we know, where the name can end: before a blank, closing punctuation, or a dot that ends a sentence. */
const knownEnd = new RegExp(`\\.(?:${extensions})(?=$|[\\s${closers}]|[.…](?:$|[\\s${closers}]))`, 'giu');
const trailing = new Set(`"'\`,.;:!?)]}>*_|”“’»。，、！？；：）】》」』…`);
/** Not by a regular expression: on a long run of marks it would look at each of them again and again. */
const stripTrailing = (text: string): string => {
  let end = text.length;
  while (end > 0 && trailing.has(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};
const extensionAtEnd = new RegExp(`\\.(?:${extensions})\\s*$`, 'iu');
/** Longer than any extension. */
const EXTENSION_WINDOW = 12;
const endsInExtension = (text: string): boolean => extensionAtEnd.test(text.slice(-EXTENSION_WINDOW));

const marks = /media:|\[\[(audio_as_voice|as_document)\]\]/giu;
const endToken = /^\s*<\|[a-z_]{2,20}\|>/iu;
const isAbsolute = (text: string): boolean => /^(?:\/|~\/|[A-Za-z]:[\\/])/u.test(text);
const isAddress = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]{1,20}:\/\//iu.test(text) || /^file:/iu.test(text);

const MAX_WORDS = 8;
const MAX_READINGS = 20;

const toSource = (text: string): DirectiveSource => {
  if (/^https?:\/\//iu.test(text)) return { type: 'url', url: text };
  return isAddress(text) ? { type: 'refused', address: text } : { type: 'path', path: text };
};

/** `offset`: where `text` begins in the tag. */
const toReading = (text: string, path: string, end: number, offset: number): Reading => ({
  source: toSource(path),
  length: offset + end + (endToken.exec(text.slice(end, end + 40))?.[0].length ?? 0),
});

const quotedReading = (text: string, offset: number): Reading | undefined => {
  const quote = /^(?:`+|["'])/u.exec(text)?.[0];
  if (quote === undefined) return undefined;
  let end = text.indexOf(quote, quote.length);
  // An apostrophe in a name looks like the end of it.
  for (let next = end; quote === "'" && next !== -1; next = text.indexOf(quote, next + 1)) {
    if (!endsInExtension(text.slice(Math.max(1, next - EXTENSION_WINDOW), next))) continue;
    end = next;
    break;
  }
  if (end === -1) return undefined;
  const path = text.slice(quote.length, end).trim();
  if (!isAbsolute(path) && !isAddress(path)) return undefined;
  return toReading(text, path, end + quote.length, offset);
};

const bareReadings = (text: string, offset: number): readonly Reading[] => {
  if (isAddress(text)) {
    const token = stripTrailing(/^[^\s<>"`]+/u.exec(text)?.[0] ?? '');
    return token.length < 6 ? [] : [toReading(text, token, token.length, offset)];
  }
  if (!isAbsolute(text)) return [];
  const ends = new Set<number>();
  for (const match of text.matchAll(knownEnd)) {
    if (ends.size >= MAX_READINGS - MAX_WORDS) break;
    ends.add(match.index + match[0].length);
  }
  let words = 0;
  for (const word of text.matchAll(/\S+/gu)) {
    if (words >= MAX_WORDS || word[0].startsWith('<|')) break;
    const cut = stripTrailing(word[0].split('<|', 1)[0] ?? '');
    if (cut !== '') ends.add(word.index + cut.length);
    words += 1;
  }
  // A bare slash is no file; it is prose such as `media: / press`.
  return [...ends].filter((end) => end > 1).map((end) => toReading(text, text.slice(0, end), end, offset));
};

const before = (text: string, at: number): string => {
  const character = text.slice(Math.max(0, at - 2), at);
  return [...character].at(-1) ?? '';
};

const partners: Readonly<Record<string, string>> = {
  "'": "'",
  '“': '”“',
  '„': '“”',
  '«': '»',
  '‘': '’',
  '‹': '›',
};

/** Quotations in other marks than the straight double ones are looked for this far. */
const QUOTE_WINDOW = 1_000;

/** Double quotes that are open at a place; those that quote paths are not asked. */
class Quotes {
  readonly #line: string;
  readonly #last: number;
  #from = 0;
  #isOpen = false;

  constructor(line: string) {
    this.#line = line;
    this.#last = line.lastIndexOf('"');
  }

  skipTo(at: number): void {
    this.#from = Math.max(this.#from, at);
  }

  encloses(at: number): boolean {
    for (; this.#from < at; this.#from += 1) {
      if (this.#line[this.#from] === '\\') this.#from += 1;
      else if (this.#line[this.#from] === '"') this.#isOpen = !this.#isOpen;
    }
    if (this.#isOpen && this.#last >= at) return true;
    const closing = partners[before(this.#line, at)];
    const near = this.#line.slice(at, at + QUOTE_WINDOW);
    return closing !== undefined && [...closing].some((one) => near.includes(one));
  }
}

/** `isCode` says of a place in the line whether it is inside inline code. */
export const scanLine = (line: string, isCode: (at: number) => boolean): ScannedLine => {
  const segments: LineSegment[] = [];
  const found = [...line.matchAll(marks)].filter(({ index }) => !isCode(index));
  const quotes = new Quotes(line);
  let leftAlone = [...line.matchAll(/media:\s*["'`]?[/~]/giu)].filter(({ index }) => isCode(index)).length;
  let done = 0;
  const addText = (end: number): void => {
    if (end > done) segments.push({ type: 'text', text: line.slice(done, end) });
    done = Math.max(done, end);
  };
  const addDirective = (at: number, end: number, readings: readonly Reading[]): boolean => {
    const [first, ...others] = readings;
    if (first === undefined) return false;
    addText(at);
    segments.push({ type: 'directive', raw: line.slice(at, end), readings: [first, ...others] });
    done = end;
    quotes.skipTo(end);
    return true;
  };
  const addFurther = (limit: number): void => {
    for (;;) {
      const gap = /^[ \t]*(?:[,;&][ \t]*)?(?=["'`])/u.exec(line.slice(done, limit))?.[0];
      const reading = gap === undefined ? undefined : quotedReading(line.slice(done + gap.length, limit), 0);
      if (gap === undefined || reading === undefined) return;
      addDirective(done + gap.length, done + gap.length + reading.length, [reading]);
    }
  };

  found.forEach(({ 0: mark, 1: flag, index: at }, number) => {
    if (at < done) return;
    if (flag !== undefined) {
      addText(at);
      const type = flag.toLowerCase() === 'as_document' ? 'as-document' : 'as-voice';
      segments.push({ type: 'flag', flag: type, raw: mark });
      done = at + mark.length;
      return;
    }
    const limit = found[number + 1]?.index ?? line.length;
    const lead = /^[ \t]*(?:[*_]{1,3}[ \t]*)?/u.exec(line.slice(at + mark.length, limit))?.[0] ?? '';
    const offset = mark.length + lead.length;
    const rest = line.slice(at + offset, limit);
    const last = segments.at(-1);
    const isGlued = at === done && last?.type === 'directive' && endsInExtension(last.raw);
    if (!isGlued && /[\p{L}\p{N}]/u.test(before(line, at))) return;
    const quoted = quotedReading(rest, offset);
    const readings =
      quoted === undefined
        ? bareReadings(rest.replace(/^["'`]/u, ''), offset + (/^["'`]/u.test(rest) ? 1 : 0))
        : [quoted];
    if (readings.length === 0) return;
    if (quotes.encloses(at)) {
      leftAlone += 1;
      return;
    }
    if (quoted === undefined) addDirective(at, limit, readings);
    else if (addDirective(at, at + quoted.length, readings)) addFurther(limit);
  });
  addText(line.length);
  return { segments, leftAlone };
};
