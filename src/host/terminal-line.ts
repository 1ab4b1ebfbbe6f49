/** One log line for people: time, level, what happened, and of the fields what tells a person something. */

const colours: Readonly<Record<string, string>> = {
  debug: '\u001B[2m',
  warn: '\u001B[33m',
  error: '\u001B[31m',
};
const reset = '\u001B[0m';
const dim = '\u001B[2m';

/** Fields that only programs want. */
const hidden = new Set(['time', 'level', 'pid', 'msg', 'correlation']);

/** Names of things inside; whoever follows one looks into the file, or asks for debug. */
const identities = new Set(['turn', 'session', 'delivery', 'call', 'messages', 'attempts']);

/** Steps of a turn, which people need not see: its end says in one line what became of them. */
export const steps: ReadonlySet<string> = new Set([
  'event received',
  'turn started',
  'tool call ended',
  'message sent',
]);

const isPlain = (text: string): boolean => /^[^\s"=]+$/u.test(text);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const describeError = (error: Readonly<Record<string, unknown>>): string => {
  const { type, message, code, cause } = error as {
    readonly type?: unknown;
    readonly message?: unknown;
    readonly code?: unknown;
    readonly cause?: unknown;
  };
  const own = `${String(message ?? type)}${code === undefined ? '' : ` (${String(code)})`}`;
  return isObject(cause) ? `${own}, because ${describeError(cause)}` : own;
};

const formatSpan = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms)}ms` : `${(ms / 1_000).toFixed(1)}s`;

const formatNumber = (value: number): string => String(Math.round(value * 100) / 100);

const formatText = (value: unknown): string => {
  if (typeof value === 'number') return formatNumber(value);
  if (Array.isArray(value)) return value.map(formatText).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const formatField = ([key, value]: readonly [string, unknown]): string => {
  if (key === 'error' && isObject(value)) return `error=${JSON.stringify(describeError(value))}`;
  if (isObject(value)) return Object.entries(value).map(formatField).join(' ');
  if (key.endsWith('Ms') && typeof value === 'number') return `${key.slice(0, -2)}=${formatSpan(value)}`;
  const text = formatText(value);
  return `${key}=${isPlain(text) ? text : JSON.stringify(text)}`;
};

const timeOf = (value: unknown): string => {
  const date = new Date(String(value));
  const pad = (number: number): string => String(number).padStart(2, '0');
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
};

export interface TerminalLineOptions {
  readonly isColoured: boolean;
  /** Also steps and ids, for whoever looks for a mistake. */
  readonly isDetailed: boolean;
}

/** `record` is a parsed line of the log file; gives a line that ends with a line break. */
export const formatTerminalLine = (
  record: Readonly<Record<string, unknown>>,
  { isColoured, isDetailed }: TerminalLineOptions,
): string => {
  const level = String(record['level'] ?? '');
  const message = String(record['msg']);
  const isShown = ([key]: readonly [string, unknown]): boolean =>
    !hidden.has(key) && (isDetailed || !identities.has(key));
  const fields = Object.entries(record).filter(isShown);
  const paint = (text: string, colour: string | undefined): string =>
    isColoured && colour !== undefined ? `${colour}${text}${reset}` : text;
  const details = fields.map(formatField).join(' ');
  const head = `${paint(timeOf(record['time']), dim)} ${paint(level.padEnd(5), colours[level])} ${message}`;
  return `${head}${details === '' ? '' : `  ${paint(details, dim)}`}\n`;
};
