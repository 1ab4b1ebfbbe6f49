import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { SoakPart } from './part.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Files whose properties `npm test` draws a fixed slice of. */
const files = [
  'test/adapters/telegram/encode-properties.test.ts',
  'test/adapters/discord/encode.test.ts',
  'test/adapters/discord/decode.test.ts',
  'test/adapters/telegram/decode.test.ts',
  'test/adapters/telegram/odd-updates.test.ts',
  'test/flows/odd-updates.test.ts',
  'test/gateway/media/attach.test.ts',
];

/** The properties of `npm test` with 5,000 cases each, drawn anew. A counterexample prints its own seed and path. */
export const properties: SoakPart = {
  name: 'properties',
  run: async ({ seed, share, say }) => {
    const runs = Math.ceil(5_000 * share);
    const child = spawn(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--testTimeout=600000', ...files],
      {
        cwd: root,
        env: { ...process.env, SOAK_SEED: String(seed), SOAK_RUNS: String(runs) },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString('utf8');
      });
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    const last = output.trimEnd().split('\n').at(-1) ?? '';
    if (code !== 0) say(output);
    return {
      summary: `${runs} cases a property: ${last}`,
      problems: code === 0 ? [] : [`a property does not hold: ${last}`],
    };
  },
};
