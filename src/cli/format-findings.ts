import type { Finding, FindingState } from './checks/finding.js';
import type { Paint } from './paint.js';
import { wrap } from './wrap.js';

const WIDTH = 80;
const TITLE = 11;
/** Before a finding's text: mark, blank, title, blank. */
const INDENT = TITLE + 3;

const marks: Readonly<Record<FindingState, readonly [string, Parameters<Paint>[1]]>> = {
  ok: ['✓', 'green'],
  note: ['!', 'yellow'],
  mend: ['✗', 'red'],
  mended: ['✓', 'green'],
  skipped: ['–', 'dim'],
};

const block = (text: string, indent: number): string =>
  wrap(text, { width: WIDTH - indent, indent: ' '.repeat(indent) });

const fixOf = ({ state, fix }: Finding): readonly string[] =>
  fix === undefined || state === 'ok' ? [] : [`${' '.repeat(INDENT)}→ ${block(fix, INDENT + 2)}`];

const toLines = (finding: Finding, isContinued: boolean, paint: Paint): readonly string[] => {
  const [mark, style] = marks[finding.state];
  const title = (isContinued ? '' : finding.title).padEnd(TITLE);
  const text = block(finding.text, INDENT);
  const painted = finding.state === 'skipped' ? paint(text, 'dim') : text;
  return [`${paint(mark, style)} ${title} ${painted}`, ...fixOf(finding)];
};

const summaryOf = (findings: readonly Finding[], program: string): string => {
  const broken = findings.filter(({ state }) => state === 'mend');
  const fixable = broken.filter(({ isFixable }) => isFixable === true).length;
  if (broken.length === 0) return 'Nothing has to be mended.';
  const count =
    broken.length === 1 ? 'One thing has to be mended.' : `${broken.length} things have to be mended.`;
  if (fixable === 0) return count;
  return `${count} \`${program} doctor --fix\` mends ${fixable === broken.length ? 'that' : `${fixable} of them`}.`;
};

/** For people, within 80 columns; ends with a line break. */
export const formatFindings = (
  findings: readonly Finding[],
  { paint, program }: { readonly paint: Paint; readonly program: string },
): string => {
  const lines = findings.flatMap((finding, index) =>
    toLines(finding, findings[index - 1]?.title === finding.title, paint),
  );
  return `${[...lines, '', paint(summaryOf(findings, program), 'bold')].join('\n')}\n`;
};
