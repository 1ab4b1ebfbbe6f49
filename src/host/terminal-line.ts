/** One log line for people: time, level, what happened, the fields. */

const colours: Readonly<Record<string, string>> = {
  debug: '\u001B[2m',
  warn: '\u001B[33m',
  error: '\u001B[31m',
};
const reset = '\u001B[0m';
const dim = '\u001B[2m';

/** Fields that only programs want. */
const hidden = new Set(['time', 'level', 'pid', 'msg', 'correlation']);

const isPlain = (text: string): boolean => /^[^\s"=]+$/u.test(text);

const describeError = (error: object): string => {
  const { type, message, code, cause } = error as {
    readonly type?: unknown;
    readonly message?: unknown;
    readonly code?: unknown;
    readonly cause?: unknown;
  };
  const own = `${String(message ?? type)}${code === undefined ? '' : ` (${String(code)})`}`;
  return typeof cause === 'object' && cause !== null ? `${own}, because ${describeError(cause)}` : own;
};

const formatField = ([key, value]: readonly [string, unknown]): string => {
  if (key === 'error' && typeof value === 'object' && value !== null)
    return `error=${JSON.stringify(describeError(value))}`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `${key}=${isPlain(text) ? text : JSON.stringify(text)}`;
};

const timeOf = (value: unknown): string => {
  const date = new Date(String(value));
  const pad = (number: number): string => String(number).padStart(2, '0');
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
};

/** `record` is a parsed line of the log file; gives a line that ends with a line break. */
export const formatTerminalLine = (
  record: Readonly<Record<string, unknown>>,
  { isColoured }: { readonly isColoured: boolean },
): string => {
  const level = String(record['level'] ?? '');
  const fields = Object.entries(record).filter(([key]) => !hidden.has(key));
  const paint = (text: string, colour: string | undefined): string =>
    isColoured && colour !== undefined ? `${colour}${text}${reset}` : text;
  const details = fields.map(formatField).join(' ');
  const head = `${paint(timeOf(record['time']), dim)} ${paint(level.padEnd(5), colours[level])} ${String(record['msg'])}`;
  return `${head}${details === '' ? '' : `  ${paint(details, dim)}`}\n`;
};
