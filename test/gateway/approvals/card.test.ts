import { describe, expect, test } from 'vitest';
import type { ApprovalRequest } from '../../../src/core/approval.js';
import { approvalOptions, toCard, toEndedCard, toVisible } from '../../../src/gateway/approvals/card.js';

const aRequest = (changes: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  tool: 'terminal',
  title: 'Terminal',
  category: 'system',
  summary: 'git push',
  details: 'git push origin main',
  grant: { keys: ['git'], label: 'commands of git' },
  ...changes,
});

const card = (changes: Partial<ApprovalRequest> = {}, maxLength = 4096, isListed = false): string =>
  toCard({ request: aRequest(changes), code: 'K7QX', timeoutMs: 30_000, isListed, maxLength });

describe('a card', () => {
  test('says what, what more it would cover, how long, and how to refuse with a reason', () => {
    expect(card({ risk: 'It deletes files.' })).toBe(
      [
        '🔐 **May I do this?** `terminal` (system)',
        '```',
        'git push origin main',
        '```',
        '⚠️ `It deletes files.`',
        '“This session” and “Always” stand for `commands of git`, whenever you are the one who asks.',
        'I wait 30 seconds. To say why not: `/deny K7QX your reason`',
      ].join('\n'),
    );
    expect(card({}, 4096, true)).toContain('If several requests are open, add K7QX.');
  });

  test('cannot be left by what stands in it: fences, inline code, line ends', () => {
    const text = card({
      details: 'a\n```\n**fake** [Allow](https://a.test)\r\nb\u2028c',
      tool: 'x`\n`evil',
      grant: { keys: ['k'], label: 'a`b\nc' },
    });
    expect(text.match(/```/gu)).toHaveLength(2);
    expect(text).toContain('ˋˋˋ\n**fake**');
    expect(text).toContain('b⟨U+2028⟩c');
    expect(text).toContain('`xˋ ˋevil`');
    expect(text).toContain('`aˋb c`');
  });

  test.each([
    '\u202e',
    '\u2066',
    '\u200b',
    '\u200f',
    '\ufeff',
    '\u00ad',
    '\u0007',
    '\u001b',
    '\u{e0041}',
    '\u3164',
    '\u2800',
  ])('shows %j by its number', (character) => {
    const number = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    expect(toVisible(`a${character}b`)).toBe(`a⟨U+${number}⟩b`);
  });

  test('keeps what people write: accents, scripts, emoji, tabs', () => {
    const text = 'naïve 漢字 नमस्ते 🙂 a\tb\nc';
    expect(toVisible(text)).toBe(text);
  });

  test.each([2000, 4096])(
    'of very long arguments is marked as cut and fits into %i characters',
    (maxLength) => {
      for (const details of ['x'.repeat(50_000), 'line\n'.repeat(5000), '🙂'.repeat(20_000)]) {
        const text = card(
          { details, grant: { keys: ['k'], label: 'y'.repeat(5000) }, risk: 'z'.repeat(5000) },
          maxLength,
        );
        expect(text).toMatch(/\[… cut here: \d+ more characters\]/);
        expect(text.length).toBeLessThanOrEqual(maxLength);
        expect(text.isWellFormed()).toBe(true);
      }
    },
  );

  test('offers once and deny alone where nothing general stands for it', () => {
    const { grant: _grant, ...alone } = aRequest();
    expect(approvalOptions(alone).map(({ value }) => value)).toEqual(['once', 'deny']);
    expect(approvalOptions(aRequest()).map(({ value }) => value)).toEqual([
      'once',
      'session',
      'always',
      'deny',
    ]);
  });
});

describe('a card that is over', () => {
  test.each([
    [{ kind: 'answered', value: 'once' }, '✅ Allowed once'],
    [{ kind: 'answered', value: 'once', by: '77' }, '✅ Allowed once by `77`'],
    [{ kind: 'answered', value: 'session' }, '✅ Allowed for this session: `commands of git`'],
    [{ kind: 'answered', value: 'always' }, '✅ Always allowed: `commands of git` (/permissions)'],
    [{ kind: 'answered', value: 'deny', reason: 'not\nnow' }, '❌ Denied: `not now`'],
    [{ kind: 'timed-out' }, '⌛ Nobody answered in time, so it was denied'],
    [{ kind: 'cancelled' }, '⏹ Cancelled'],
    [{ kind: 'restarted' }, '⌛ I was restarted meanwhile, so it was denied'],
  ] as const)('%o says %s', (end, line) => {
    expect(toEndedCard(aRequest(), end, 4096).split('\n').at(-1)).toBe(line);
  });
});
