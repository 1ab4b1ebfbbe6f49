/** Kinds of values that several sections use. */
import * as z from 'zod';

export const httpUrl = z
  .url({
    protocol: /^https?$/u,
    message: 'expected a URL that begins with http:// or https://; for example http://127.0.0.1:11434/v1',
  })
  .refine((url) => !URL.canParse(url) || (new URL(url).username === '' && new URL(url).password === ''), {
    message:
      'expected a URL without user and password; leave out what stands before the @, and write the key of a server that asks for one as api_key',
  });

/** A command: one line, or a list of its words. */
export const words = z.union([z.string(), z.array(z.string())]);

/** A whole number from `least` on, because time spans and counts that overflow are slips of the hand. */
export const count = (least: number, most = 1_000_000_000) => z.number().int().min(least).max(most);

export const ids = z.array(z.string().min(1)).default([]);
