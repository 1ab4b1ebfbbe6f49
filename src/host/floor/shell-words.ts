/**
 * A command line taken apart as a shell would, as far as it can be without running it. Pure, never throws; what it does
 * not understand it takes as words, so that a rule may still see them.
 */
export interface ShellCommand {
  /** Without quotes; variables and globs stay as written. */
  readonly words: readonly string[];
  readonly redirects: readonly { readonly operator: string; readonly target: string }[];
  /** The output of the command before it is its input. */
  readonly isPiped: boolean;
  /** A here-document. */
  readonly input?: string;
}

const separators = /^(?:\|\||&&|\|&|[|;&\n()]|[{}](?=[\s;]|$))/u;
/** Nothing in it means anything to a shell. */
const plainText = /^[\w./:=@%+,-]+/u;
/** Deeper nesting is nothing that anybody writes to be understood. */
const maxDepth = 16;
const redirect = /^(?:\d*|&)(?:>>|>\||>&|<>|>|<<<|<<-?|<&|<)/u;
/** What spells a blank without writing one. */
const blankVariable = /^\$(?:IFS(?:\$\d)?\b|\{IFS[^}]*\})/u;

interface Building {
  words: string[];
  redirects: { operator: string; target: string }[];
  isPiped: boolean;
  input?: string;
}

/** The command lines inside `$(…)`, backticks and `<(…)` come as commands of their own, before the one they are in. */
export const parseShell = (line: string): readonly ShellCommand[] => new ShellReader(line, 0).read();

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '', b: '', e: '\u001b' };

/** `$'…'`. */
const withEscapes = (text: string): string =>
  text.replace(
    /\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|([0-7]{1,3})|(.))/giu,
    (_all, hex, wide, octal, one) => {
      if (hex !== undefined || wide !== undefined)
        return String.fromCodePoint(Number.parseInt(hex ?? wide, 16));
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
      return escapes[one] ?? one;
    },
  );

class ShellReader {
  readonly #text: string;
  readonly #depth: number;
  readonly #commands: ShellCommand[] = [];
  #at = 0;
  #current: Building = { words: [], redirects: [], isPiped: false };
  #word: string | undefined;
  #operator: string | undefined;
  #heredocs: { readonly end: string; readonly command: Building }[] = [];

  constructor(text: string, depth: number) {
    this.#depth = depth;
    this.#text = text.replace(/\\\r?\n/gu, '');
  }

  read(): readonly ShellCommand[] {
    while (this.#at < this.#text.length) this.#step();
    this.#endCommand(false);
    return this.#commands;
  }

  #step(): void {
    const rest = this.#text.slice(this.#at);
    const plain = plainText.exec(rest)?.[0];
    // A number may belong to a redirect.
    if (plain !== undefined && !/^\d+$/u.test(plain)) this.#take(plain);
    else if (rest.startsWith('#') && this.#word === undefined)
      this.#skip(/^[^\n]*/u.exec(rest)?.[0].length ?? 1);
    else if (!this.#blank(rest) && !this.#quoted(rest) && !this.#substituted(rest) && !this.#operatorIn(rest))
      this.#take(rest[0] ?? '');
  }

  #take(text: string): void {
    this.#add(text);
    this.#skip(text.length);
  }

  #blank(rest: string): boolean {
    const blank = blankVariable.exec(rest)?.[0] ?? /^[ \t\r]+/u.exec(rest)?.[0];
    if (blank === undefined) return false;
    this.#endWord();
    this.#skip(blank.length);
    return true;
  }

  #operatorIn(rest: string): boolean {
    const arrow = redirect.exec(rest)?.[0];
    if (arrow !== undefined && (this.#word === undefined || !/^\d/u.test(arrow))) {
      this.#redirect(arrow);
      return true;
    }
    const separator = separators.exec(rest)?.[0];
    if (separator === undefined || (/[{}]/u.test(separator) && !this.#isAtStart())) return false;
    this.#skip(separator.length);
    this.#endCommand(separator === '|' || separator === '|&');
    if (separator === '\n') this.#readHeredocs();
    return true;
  }

  /** Where a brace groups commands. */
  #isAtStart(): boolean {
    return this.#word === undefined && this.#current.words.length === 0;
  }

  #skip(length: number): void {
    this.#at += length;
  }

  #add(text: string): void {
    this.#word = (this.#word ?? '') + text;
  }

  #quoted(rest: string): boolean {
    const single = /^\$?'((?:[^'\\]|\\.)*)'/su.exec(rest);
    const plain = /^'([^']*)'/su.exec(rest);
    if (rest.startsWith("$'") && single !== null) this.#add(withEscapes(single[1] ?? ''));
    else if (plain !== null) this.#add(plain[1] ?? '');
    else if (rest.startsWith('\\')) this.#add(rest[1] ?? '');
    else if (/^\$?"/u.test(rest)) return this.#doubleQuoted(rest);
    else return false;
    this.#skip((rest.startsWith("$'") ? single?.[0].length : plain?.[0].length) ?? 2);
    return true;
  }

  #doubleQuoted(rest: string): boolean {
    const all = /^\$?"((?:[^"\\]|\\.)*)"/su.exec(rest);
    if (all === null) return false;
    const inside = all[1] ?? '';
    this.#add(inside.replace(/\\(["\\$`])/gu, '$1'));
    // What is substituted inside runs too.
    for (const nested of substitutions(inside)) this.#nest(nested);
    this.#skip(all[0].length);
    return true;
  }

  #substituted(rest: string): boolean {
    const opening = /^(?:\$\((?!\()|[<>]\(|`)/u.exec(rest)?.[0];
    if (opening === undefined) return false;
    const end = closingOf(rest, opening);
    const inside = rest.slice(opening.length, end);
    this.#nest(inside);
    this.#add(rest.slice(0, end + 1));
    this.#skip(end + 1);
    return true;
  }

  #nest(text: string): void {
    if (this.#depth < maxDepth) this.#commands.push(...new ShellReader(text, this.#depth + 1).read());
  }

  #redirect(arrow: string): void {
    this.#endWord();
    this.#operator = arrow.replace(/^(?:\d+|&)/u, '');
    this.#skip(arrow.length);
  }

  #endWord(): void {
    if (this.#word === undefined) return;
    if (this.#operator === undefined) this.#current.words.push(this.#word);
    else this.#endRedirect(this.#operator, this.#word);
    this.#operator = undefined;
    this.#word = undefined;
  }

  #endRedirect(operator: string, word: string): void {
    if (operator === '<<' || operator === '<<-') this.#heredocs.push({ end: word, command: this.#current });
    else if (operator === '<<<') this.#current.input = word;
    else this.#current.redirects.push({ operator, target: word });
  }

  #endCommand(isPipe: boolean): void {
    this.#endWord();
    const { words, redirects } = this.#current;
    if (words.length > 0 || redirects.length > 0) this.#commands.push(this.#current);
    this.#current = { words: [], redirects: [], isPiped: isPipe };
  }

  #readHeredocs(): void {
    for (const { end, command } of this.#heredocs) {
      const lines: string[] = [];
      while (this.#at < this.#text.length) {
        const line = /^[^\n]*/u.exec(this.#text.slice(this.#at))?.[0] ?? '';
        this.#skip(line.length + 1);
        if (line.trim() === end) break;
        lines.push(line);
      }
      command.input = lines.join('\n');
    }
    this.#heredocs = [];
  }
}

/** Index of the character that closes what `opening` began. */
const closingOf = (text: string, opening: string): number => {
  if (opening === '`') {
    const end = text.indexOf('`', 1);
    return end < 0 ? text.length : end;
  }
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '(') depth += 1;
    if (text[index] === ')') depth -= 1;
    if (depth === 0 && index >= opening.length) return index;
  }
  return text.length;
};

const substitutions = (text: string): readonly string[] => {
  const found: string[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const opening = /^(?:\$\((?!\()|`)/u.exec(text.slice(index, index + 3))?.[0];
    if (opening === undefined) continue;
    const rest = text.slice(index);
    const end = closingOf(rest, opening);
    found.push(rest.slice(opening.length, end));
    index += end;
  }
  return found;
};
