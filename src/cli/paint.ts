import type { Environment } from '../config/index.js';
import type { Output } from './edge.js';

export type Paint = (text: string, style: 'bold' | 'dim' | 'green' | 'yellow' | 'red') => string;

const codes = { bold: 1, dim: 2, green: 32, yellow: 33, red: 31 } as const;

export const isColoured = (output: Output, environment: Environment): boolean =>
  output.isTerminal && (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb';

/** Colours for people at a terminal that shows them; plain text for everybody else. */
export const createPaint = (output: Output, environment: Environment): Paint =>
  isColoured(output, environment)
    ? (text, style) => `\u001B[${codes[style]}m${text}\u001B[0m`
    : (text) => text;
