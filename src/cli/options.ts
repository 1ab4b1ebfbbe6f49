import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './edge.js';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Options and words of a command; throws a UsageError for an unknown option or a missing value. */
export const parseOptions = <Known extends Options>(args: readonly string[], options: Known) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message.split('. ')[0]);
    throw error;
  }
};

export const refuseWords = (words: readonly string[]): void => {
  if (words.length > 0) throw new UsageError(`'${words.join(' ')}' is not expected here`);
};
