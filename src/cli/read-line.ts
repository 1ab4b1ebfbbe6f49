import type { Readable } from 'node:stream';

/** The next line of a stream without its end; empty where the stream ends. */
export const readLine = async (input: Readable): Promise<string> => {
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input });
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('close', () => resolve(''));
  });
};
