/**
 * The door for stored rows. Column types are the schema's business (its tables are STRICT), what JSON columns hold is
 * checked here. A damaged row is an error that names table and row, and never the end of a list.
 */
import type { z } from 'zod';
import { never, StoreError } from '../../core/errors.js';
import type { Logger } from '../../core/logger.js';
import type { Row } from './driver.js';

export const readText = (row: Row, column: string): string => {
  const value = row[column];
  if (typeof value !== 'string') throw new Error(`${column} is not text`);
  return value;
};

export const readInteger = (row: Row, column: string): number => {
  const value = row[column];
  if (typeof value !== 'number') throw new Error(`${column} is not a number`);
  return value;
};

export const isNull = (row: Row, column: string): boolean => row[column] === null;

/** Gives `{[name]: value}`, or nothing to spread where the column is null. */
export const readOptional = <Name extends string, Value>(
  row: Row,
  column: string,
  name: Name,
  convert: (text: string) => Value,
): { readonly [Key in Name]?: Value } =>
  // A computed key has no precise type.
  isNull(row, column) ? {} : ({ [name]: convert(readText(row, column)) } as { [Key in Name]: Value });

export const readOneOf = <Word extends string>(row: Row, column: string, words: readonly Word[]): Word => {
  const value = row[column];
  const word = words.find((one) => one === value);
  if (word === undefined) throw new Error(`${column} is none of ${words.join(', ')}`);
  return word;
};

export const readJson = <Value>(row: Row, column: string, shape: z.ZodType<Value>): Value =>
  shape.parse(parseJson(readText(row, column), column));

const parseJson = (text: string, column: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // The original error quotes what people wrote.
    throw new Error(`${column} is not JSON`);
  }
};

export interface RowReader {
  /** Throws a StoreError if the row is damaged. `key` is the column that names the row. */
  one<Value>(row: Row, key: string, parse: (row: Row) => Value): Value;
  /** Leaves damaged rows out and logs them. */
  many<Value>(rows: readonly Row[], key: string, parse: (row: Row) => Value): readonly Value[];
}

/** Reads rows of one table. */
export const createRowReader = (table: string, logger: Logger): RowReader => {
  const toError = (row: Row, key: string, cause: unknown): StoreError => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message =
      `Row ${key} = ${String(row[key])} of table ${table} is damaged and was left as it is: ${reason}. ` +
      'Mend or delete it while the gateway is stopped.';
    return new StoreError({ code: 'corrupt', message, retry: never });
  };
  const one: RowReader['one'] = (row, key, parse) => {
    try {
      return parse(row);
    } catch (error) {
      throw toError(row, key, error);
    }
  };
  return {
    one,
    many: (rows, key, parse) => {
      const values = [];
      for (const row of rows) {
        try {
          values.push(parse(row));
        } catch (error) {
          logger.error(
            { error: toError(row, key, error), table, [key]: row[key] },
            'stored row is damaged and was left out',
          );
        }
      }
      return values;
    },
  };
};
