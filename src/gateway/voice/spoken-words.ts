/** What is said in place of what would be typed: commands and the answers to questions. Pure. */
import type { InboundMessage } from '../../core/inbound.js';
import type { QuestionOption } from '../../core/question.js';

const bare = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();

/** The words of a message that is a recording and nothing else. */
export const saidIn = ({ parts, isForwarded }: InboundMessage): string | undefined => {
  const [only, ...others] = parts;
  if (isForwarded === true || only?.type !== 'media' || others.length > 0) return undefined;
  return (only.caption ?? '').trim() === '' ? only.said : undefined;
};

/** How people say the stroke before a command. */
const stroke = /^(?:forward )?(?:slash|schrägstrich|barra|barre oblique|斜杠)[\s,:-]*/u;
/** Said alone they stop what runs: nobody has time for a stroke then. */
const stops: ReadonlySet<string> = new Set([
  'stop',
  'stop it',
  'please stop',
  'stopp',
  'halt',
  '停',
  '停止',
  '停下',
]);

/** The command line that is said, e.g. `/model gpt-5`; undefined for ordinary words. */
export const toSpokenCommand = (
  said: string,
  commands: readonly { readonly name: string }[],
): string | undefined => {
  if (said.trim().startsWith('/')) return said.trim().replace(/[.。!]+$/u, '');
  const words = bare(said);
  if (stops.has(words)) return '/stop';
  if (!stroke.test(words)) return undefined;
  const line = words.replace(stroke, '');
  // A name of several words is heard as several.
  const name = commands
    .map((command) => command.name)
    .filter((one) => `${line} `.replaceAll('-', ' ').startsWith(`${one.replaceAll(/[-_]/gu, ' ')} `))
    .sort((one, other) => other.length - one.length)[0];
  return name === undefined ? undefined : `/${name} ${line.slice(name.length).trim()}`.trim();
};

const numbers: readonly (readonly string[])[] = [
  ['one', 'first', 'eins', 'erste', 'erstens', 'un', 'une', 'uno', 'primero', '一', '第一'],
  ['two', 'second', 'zwei', 'zweite', 'zweitens', 'deux', 'dos', 'segundo', '二', '第二', '两'],
  ['three', 'third', 'drei', 'dritte', 'drittens', 'trois', 'tres', 'tercero', '三', '第三'],
  ['four', 'fourth', 'vier', 'vierte', 'quatre', 'cuatro', '四', '第四'],
  ['five', 'fifth', 'fünf', 'fünfte', 'cinq', 'cinco', '五', '第五'],
  ['six', 'sixth', 'sechs', 'sechste', 'six', 'seis', '六', '第六'],
  ['seven', 'seventh', 'sieben', 'siebte', 'sept', 'siete', '七', '第七'],
  ['eight', 'eighth', 'acht', 'achte', 'huit', 'ocho', '八', '第八'],
  ['nine', 'ninth', 'neun', 'neunte', 'neuf', 'nueve', '九', '第九'],
  ['ten', 'tenth', 'zehn', 'zehnte', 'dix', 'diez', '十', '第十'],
];

const around =
  /^(?:the |number |option |choice |nummer |die |der |das |número |numéro )+|(?: one| option| please| bitte)+$/gu;

/**
 * The option that is said by its label or its number; undefined if it is none of them. Only a whole label counts: a
 * word that happens to be in it allows nothing.
 */
export const toSpokenChoice = (
  said: string,
  options: readonly QuestionOption[],
  { byNumber = true }: { readonly byNumber?: boolean } = {},
): number | undefined => {
  const words = bare(said);
  const byLabel = options.flatMap(({ label }, index) =>
    bare(label) === words && words !== '' ? [index] : [],
  );
  if (byLabel.length > 0) return byLabel.length === 1 ? byLabel[0] : undefined;
  if (!byNumber) return undefined;
  const number = words.replace(around, '').trim();
  const index = /^\d{1,3}$/u.test(number)
    ? Number(number) - 1
    : numbers.findIndex((names) => names.includes(number === '' ? words : number));
  return options[index] === undefined ? undefined : index;
};
