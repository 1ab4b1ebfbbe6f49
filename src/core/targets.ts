/**
 * The one grammar of delivery targets (cron, tools, command line, HTTP): `local`, `origin`, `platform`,
 * `platform:name`, `platform:"label"`, and comma lists of these. Parsing knows no platform: what `name` means
 * (an id, an id with a thread, a label) is found out when the target is resolved.
 */
export type Target =
  /** Nowhere: the result is only kept. */
  | { readonly type: 'local' }
  /** The chat the request came from. */
  | { readonly type: 'origin' }
  /** The platform's home channel. */
  | { readonly type: 'home'; readonly platform: string }
  | { readonly type: 'named'; readonly platform: string; readonly name: string; readonly isQuoted: boolean };

export type ParsedTargets =
  | { readonly ok: true; readonly targets: readonly Target[] }
  | { readonly ok: false; readonly problem: string };

const item = /^([a-z][a-z0-9_-]*)(?::(?:"((?:[^"\\]|\\.)*)"|(.+)))?$/su;

/** Splits at commas that stand outside double quotes. */
const splitList = (text: string): readonly string[] => {
  const items = [''];
  for (const token of text.match(/"(?:[^"\\]|\\.)*"|[\s\S]/gu) ?? []) {
    if (token === ',') items.push('');
    else items[items.length - 1] += token;
  }
  return items;
};

const parseItem = (text: string): Target | string => {
  const match = item.exec(text);
  const platform = match?.[1];
  if (match === null || platform === undefined) return `'${text}' is not a target`;
  const name = match[2]?.replace(/\\(.)/gsu, '$1') ?? match[3]?.trim();
  if (name === undefined)
    return platform === 'local' || platform === 'origin' ? { type: platform } : { type: 'home', platform };
  if (name === '') return `'${text}' names no chat`;
  return { type: 'named', platform, name, isQuoted: match[2] !== undefined };
};

/** Never throws; a problem says what is wrong and what a target looks like. */
export const parseTargets = (text: string): ParsedTargets => {
  const items = splitList(text).map((part) => part.trim());
  const advice =
    'Write local, origin, a platform, platform:chat_id or platform:"label"; several separated by commas.';
  if (items.includes('')) return { ok: false, problem: `The target is empty. ${advice}` };
  const parsed = items.map(parseItem);
  const problem = parsed.find((target) => typeof target === 'string');
  if (problem !== undefined) return { ok: false, problem: `${problem}. ${advice}` };
  return { ok: true, targets: parsed.filter((target) => typeof target !== 'string') };
};

const needsQuotes = /[,"\\]|^\s|\s$/u;

/** The readable form; {@link parseTargets} gives the same target back. */
export const formatTarget = (target: Target): string => {
  switch (target.type) {
    case 'local':
    case 'origin':
      return target.type;
    case 'home':
      return target.platform;
    case 'named':
      return target.isQuoted || needsQuotes.test(target.name)
        ? `${target.platform}:"${target.name.replace(/["\\]/gu, '\\$&')}"`
        : `${target.platform}:${target.name}`;
  }
};
