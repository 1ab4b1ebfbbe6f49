/** What people type to answer a request for permission where there are no buttons. Pure. */

export interface TypedAnswer {
  readonly value: 'once' | 'session' | 'always' | 'deny' | number;
  /** The card's own, in capitals, where one was written. */
  readonly code?: string;
  readonly reason?: string;
}

const words: Readonly<Record<'once' | 'session' | 'always' | 'deny', readonly string[]>> = {
  once: 'yes y yep yeah ok okay allow approve go sure once 是 是的 好 好的 可以 行 同意 允许 允許 批准 确认 確認 确定 確定 嗯 一次 仅此一次'.split(
    ' ',
  ),
  session: ['session', 'this session', 'allow session', '本次会话', '本次會話', '这次会话', '會話', '会话'],
  always: ['always', 'allow always', '总是', '總是', '始终', '始終', '永远', '永遠', '一直', '总是允许'],
  deny: 'no n nope deny cancel refuse 否 不 不行 不要 不可以 不允许 不允許 拒绝 拒絕 取消 禁止 别 不用'.split(
    ' ',
  ),
};

const meanings = new Map(
  Object.entries(words).flatMap(([value, all]) =>
    all.map((word) => [word, value as keyof typeof words] as const),
  ),
);

const code = /(?:^|\s)([A-HJ-NP-Z2-9]{4})$/iu;
const number = /^(\d{1,2})[.)。、]?$/u;
const ending = /[\s.!?。！？,，]+$/u;
const denial = new RegExp(
  `^(?:${[...words.deny].sort((one, other) => other.length - one.length).join('|')})(?:\\s*[,:;，：；–—-]\\s*|\\s+)(.+)$`,
  'isu',
);

/** Undefined for whatever is no answer by itself. `codes`: those of the open cards, in capitals. */
export const parseTyped = (text: string, codes: ReadonlySet<string>): TypedAnswer | undefined => {
  const trimmed = text.trim().replace(ending, '');
  if (trimmed === '' || trimmed.length > 500) return undefined;
  const named = code.exec(trimmed)?.[1]?.toUpperCase();
  const isCoded = named !== undefined && codes.has(named);
  const said = isCoded ? trimmed.slice(0, -4).replace(ending, '').trim() : trimmed;
  const own = isCoded ? { code: named } : {};
  const digits = number.exec(said)?.[1];
  if (digits !== undefined) return { value: Number(digits), ...own };
  const value = meanings.get(said.toLowerCase());
  if (value !== undefined) return { value, ...own };
  const reason = denial.exec(said)?.[1]?.trim();
  return reason === undefined || reason === '' ? undefined : { value: 'deny', reason, ...own };
};
