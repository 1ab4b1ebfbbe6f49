import { describe, expect, test } from 'vitest';
import { parseMarkdown } from '../../../src/adapters/kit/markdown-parse.js';
import { guessLanguage } from '../../../src/voice/synthesis/guess-language.js';
import { firstSentences, toPieces } from '../../../src/voice/synthesis/sentences.js';
import { toEar } from '../../../src/voice/synthesis/to-ear.js';

const ear = (markdown: string): string => toEar(parseMarkdown(markdown)).text;

/** Replies and what is said of them. */
const replies: readonly (readonly [string, string])[] = [
  ['Hello, Ann!', 'Hello, Ann!'],
  ['**Done**, *nearly*', 'Done, nearly.'],
  ['## Result ✅\n\nAll is well', 'Result. All is well.'],
  ['see [the docs](https://example.com/a?b=1) or https://example.com', 'see the docs or a link.'],
  ['See <https://a.example/c> and mail ann@example.com', 'See a link and mail ann@example.com.'],
  ['[](https://x.example)', 'a link.'],
  ['[https://x.example](https://x.example)', 'a link.'],
  ['go to www.example.com, please', 'go to a link, please.'],
  [
    'Siehe https://example.com, das ist die Seite und nicht mehr',
    'Siehe ein Link, das ist die Seite und nicht mehr.',
  ],
  ['1. first\n2. second', '1: first. 2: second.'],
  ['5. fifth\n6. sixth', '5: fifth. 6: sixth.'],
  ['- a cat\n  - its tail\n- a dog', 'a cat. its tail. a dog.'],
  ['- [x] Buy milk\n- [ ] Call Ann', 'done: Buy milk. still to do: Call Ann.'],
  [
    '| Name | Price |\n|---|---|\n| Tea | $3.50 |\n| Mate | $12 |',
    'Name: Tea, Price: $3.50. Name: Mate, Price: $12.',
  ],
  [
    '| Plan | Offline |\n|---|---|\n| Free | ❌ |\n| Pro | ✅ |',
    'Plan: Free, Offline: no. Plan: Pro, Offline: yes.',
  ],
  ['| a | b |\n|---|---|', 'a, b.'],
  ['❌ Deploy failed', 'no: Deploy failed.'],
  ['✅ Tests pass', 'Tests pass.'],
  ['Great 🎉🎉 news 👍🏽!', 'Great news!'],
  ['🇩🇪 Deutschland 👨‍👩‍👧 Familie', 'Deutschland Familie.'],
  ['1️⃣ one 2️⃣ two', '1 one 2 two.'],
  ['Run `npm install` now', 'Run npm install now.'],
  ['`!isReady` means the server is **not** ready.', 'not isReady means the server is not ready.'],
  ['if `a != b` stop', 'if a ≠ b stop.'],
  ['call `sum(1, 2)`', 'call sum 1, 2.'],
  ['**Warning:** do *not* run `rm -rf build`', 'Warning: do not run rm -rf build.'],
  ["I don't, can't and won't.", "I don't, can't and won't."],
  ['It is saved in /home/ann/reports/2026/sales.pdf', 'It is saved in sales.pdf.'],
  ['It is in `~/notes.txt`, not in `./old/`', 'It is in notes.txt, not in old.'],
  ['Open C:\\Users\\Ann\\notes.txt', 'Open notes.txt.'],
  ['and/or 24/7 at 90 km/h', 'and/or 24/7 at 90 km/h.'],
  ['It costs $1,299.99 or €1.299,00', 'It costs $1,299.99 or €1.299,00.'],
  ['It costs ~~$100~~ **$80** now.', 'It costs $80 now.'],
  ['From -5 °C to +3 °C, 50% of it', 'From -5 °C to +3 °C, 50% of it.'],
  ['Step 1 → Step 2 -> Step 3', 'Step 1, Step 2, Step 3.'],
  ['build 3f9a7c2b1d4e5f60718293a4b5c6d7e8 is out', 'build is out.'],
  ['Call 0800 123456789012345678901234567890', 'Call 0800 123456789012345678901234567890.'],
  ['use snake_case_names', 'use snake case names.'],
  ['> Never do this\n\nOk?', 'Never do this. Ok?'],
  ['![a cat on a wall](cat.png) here', 'a cat on a wall here.'],
  ['<b>bold</b><br>next', 'bold next.'],
  ['Tom & Jerry < 3 > 2 "q"', 'Tom & Jerry < 3 > 2 "q".'],
  ['\u0000bell\u0007', 'bell.'],
  ['\\*not bold\\*', 'not bold.'],
  ['above\n\n---\n\nbelow', 'above. below.'],
  ['价格是 ¥1,299，不包含 GitHub Copilot 订阅', '价格是 ¥1,299，不包含 GitHub Copilot 订阅。'],
  ['请看 [文档](https://example.com) 或 https://example.com 。', '请看 文档 或 一个链接。'],
  ['**不要**删除 `config.yaml`！', '不要删除 config.yaml！'],
  ['今天 5 月 3 日 🎉，气温 -2 °C', '今天 5 月 3 日，气温 -2 °C.'],
  [
    '**Nicht** löschen! Der Preis ist nicht verhandelbar 😀',
    'Nicht löschen! Der Preis ist nicht verhandelbar.',
  ],
  ['Do it like this:\n\n```sh\nls\n```', 'Do it like this: The code is in the message.'],
  ['😀😀', ''],
  ['```\ncode\n```', ''],
  ['---', ''],
];

describe('toEar', () => {
  test.each(replies)('says of %j: %j', (markdown, spoken) => {
    expect(ear(markdown)).toBe(spoken);
  });

  test('VO-05 has the words of a rich reply and none of its marks', () => {
    const { text, isWhole } = toEar(
      parseMarkdown(
        '## Result ✅\n\n**Done**: see [the docs](https://example.com/a?b=1) or https://example.com\n\n```js\nx()\n```\n\n| a | b |\n|---|---|\n\n1. first\n\n2. second',
      ),
    );
    for (const word of ['Result', 'Done', 'the docs', 'first', 'second']) expect(text).toContain(word);
    expect(text).not.toMatch(/[*#|`✅]|https?:|example|x\(\)/u);
    expect(isWhole).toBe(false);
  });

  test('gives the first sentences of a long reply, and says where the rest is', () => {
    const long = Array.from({ length: 100 }, (_, index) => `Sentence number ${index} is here.`).join(' ');
    const { text, isWhole } = toEar(parseMarkdown(long));
    expect(isWhole).toBe(false);
    expect(text.length).toBeLessThan(500);
    expect(text).toMatch(/^Sentence number 0 is here\. .* The rest is in the message\.$/u);
  });

  test('is short about a reply that is mostly code, in the language of its words', () => {
    const code = Array.from({ length: 30 }, (_, line) => `const value${line} = ${line};`).join('\n');
    const { text, isWhole } = toEar(
      parseMarkdown(`Das ist der Code, und er ist nicht lang.\n\n\`\`\`js\n${code}\n\`\`\``),
    );
    expect(text).toBe('Das ist der Code, und er ist nicht lang. Der Code steht in der Nachricht.');
    expect(isWhole).toBe(false);
  });

  test('says the first rows of a long table only', () => {
    const rows = Array.from({ length: 20 }, (_, row) => `| r${row} | ${row} |`).join('\n');
    const { text, isWhole } = toEar(parseMarkdown(`| name | n |\n|---|---|\n${rows}`));
    expect(text).toContain('name: r7, n: 7.');
    expect(text).not.toContain('r8');
    expect(isWhole).toBe(false);
  });
});

describe('guessLanguage', () => {
  test.each([
    ['The weather is fine and it will not rain.', 'en'],
    ['Das Wetter ist gut und es wird nicht regnen.', 'de'],
    ['Le temps est beau et il ne va pas pleuvoir.', 'fr'],
    ['El tiempo es bueno y no va a llover en la ciudad.', 'es'],
    ['天气很好，用 GitHub 吧', 'zh'],
    ['今日はいい天気です', 'ja'],
    ['Сегодня хорошая погода', 'ru'],
    ['오늘 날씨가 좋네요', 'ko'],
    ['OK', 'en'],
    ['', 'en'],
  ])('of %j is %s', (text, language) => {
    expect(guessLanguage(text)).toBe(language);
  });
});

describe('pieces', () => {
  test('are whole sentences within the limit, and nothing is lost', () => {
    const text =
      'One is here. Two is there! Is three? Four, five and six are far away, too far for one piece.';
    const pieces = toPieces(text, 'en', 40);
    expect(pieces.every((piece) => piece.length <= 40)).toBe(true);
    expect(pieces[0]).toBe('One is here. Two is there! Is three?');
    expect(pieces.join(' ')).toBe(text);
  });

  test('never cut inside a character', () => {
    expect(toPieces('😀'.repeat(30), 'en', 7).join('')).toBe('😀'.repeat(30));
  });

  test('begin with the first sentence, also of Chinese', () => {
    expect(firstSentences('第一句话。第二句话。第三句话。', 'zh', 12)).toBe('第一句话。第二句话。');
  });
});
