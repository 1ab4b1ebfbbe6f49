/** A request for permission as people read it in a chat. Pure. */
import type { ApprovalRequest } from '../../core/approval.js';
import type { Question, QuestionOption } from '../../core/question.js';

/** Characters of details; a card has to fit into one message, with what stands around them. */
const maxDetails = 1_500;
const restOfCard = 900;
const maxLines = 30;
const maxLabel = 160;

/** Whatever hides, turns round or ends a line where nobody sees it. */
const misleading =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\u115f\u1160\u3164\uffa0\u2800]|\u034f|\u17b4|\u17b5/gu;

/** Plain text in which nothing is invisible: such characters stand there by their number. */
export const toVisible = (text: string): string =>
  text
    .replace(/\r\n?/gu, '\n')
    .replace(
      misleading,
      (one) => `⟨U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
    );

/** Inline code, whose content means nothing to a platform. */
const inCode = (text: string): string => {
  const line = toVisible(text).replaceAll('`', 'ˋ').replace(/\s+/gu, ' ').trim();
  const cut = line.length > maxLabel ? `${line.slice(0, maxLabel)}… (cut)` : line;
  return `\`${cut === '' ? ' ' : cut}\``;
};

/** At most so many characters and lines; what is left out is told. */
const cutDetails = (text: string, maxLength: number): string => {
  const lines = text.split('\n');
  const few = lines.slice(0, maxLines).join('\n');
  const kept = few.length > maxLength ? few.slice(0, maxLength).replace(/[\ud800-\udbff]$/u, '') : few;
  const left = text.length - kept.length;
  return left > 0 ? `${kept}\n[… cut here: ${left} more characters]` : kept;
};

const inFence = (text: string): string => `\`\`\`\n${text.replaceAll('```', 'ˋˋˋ')}\n\`\`\``;

/** `maxLength`: of one message of the platform. */
const headOf = ({ tool, category, details, summary, risk }: ApprovalRequest, maxLength: number): string => {
  const budget = Math.max(200, Math.min(maxDetails, maxLength - restOfCard));
  const shown = toVisible(details.trim() === '' ? summary : details);
  return [
    `🔐 **May I do this?** ${inCode(tool)} (${category})`,
    ...(shown.trim() === '' ? [] : [inFence(cutDetails(shown, budget))]),
    ...(risk === undefined ? [] : [`⚠️ ${inCode(risk)}`]),
  ].join('\n');
};

export const approvalOptions = ({ grant }: ApprovalRequest): readonly QuestionOption[] => [
  { label: '✅ Allow once', value: 'once' },
  ...(grant === undefined
    ? []
    : [
        { label: 'This session', value: 'session' },
        { label: 'Always', value: 'always' },
      ]),
  { label: '❌ Deny', value: 'deny' },
];

export interface CardSketch {
  readonly request: ApprovalRequest;
  readonly code: string;
  readonly timeoutMs: number;
  /** Typed words answer it. */
  readonly isListed: boolean;
  readonly maxLength: number;
}

export const toCard = ({ request, code, timeoutMs, isListed, maxLength }: CardSketch): string => {
  const { grant } = request;
  const seconds = Math.round(timeoutMs / 1000);
  const wait = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return [
    headOf(request, maxLength),
    ...(grant === undefined
      ? []
      : [`“This session” and “Always” stand for ${inCode(grant.label)}, whenever you are the one who asks.`]),
    isListed
      ? `I wait ${wait}. “yes” and “no” do as well, and “no” may be followed by a reason. If several requests are open, add ${code}.`
      : `I wait ${wait}. To say why not: \`/deny ${code} your reason\``,
  ].join('\n');
};

/** What became of a request; `by`: somebody else than who asked. */
export type CardEnd =
  | { readonly kind: 'answered'; readonly value: string; readonly reason?: string; readonly by?: string }
  | { readonly kind: 'timed-out' | 'cancelled' | 'restarted' | 'undelivered' };

export const toEndLine = (end: CardEnd, grant: ApprovalRequest['grant']): string => {
  const by = end.kind === 'answered' && end.by !== undefined ? ` by ${inCode(end.by)}` : '';
  if (end.kind === 'answered') {
    if (end.value === 'once') return `✅ Allowed once${by}`;
    if (end.value === 'session') return `✅ Allowed for this session${by}: ${inCode(grant?.label ?? '')}`;
    if (end.value === 'always') return `✅ Always allowed${by}: ${inCode(grant?.label ?? '')} (/permissions)`;
    return `❌ Denied${by}${end.reason === undefined ? '' : `: ${inCode(end.reason)}`}`;
  }
  const texts: Readonly<Record<Exclude<CardEnd['kind'], 'answered'>, string>> = {
    'timed-out': '⌛ Nobody answered in time, so it was denied',
    cancelled: '⏹ Cancelled',
    restarted: '⌛ I was restarted meanwhile, so it was denied',
    undelivered: '⌛ It came too late, so it was denied',
  };
  return texts[end.kind];
};

/** The card once it is over: what was asked, and what became of it. */
export const toEndedCard = (approval: ApprovalRequest, end: CardEnd, maxLength: number): string =>
  `${headOf(approval, maxLength)}\n${toEndLine(end, approval.grant)}`;

const codeLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Four characters by which people name a card. Not a secret: who may answer is looked at. */
export const codeOf = ({ id }: Pick<Question, 'id'>): string => {
  let hash = 2_166_136_261;
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return Array.from({ length: 4 }, (_each, index) => codeLetters.charAt((hash >>> (index * 5)) % 32)).join(
    '',
  );
};
