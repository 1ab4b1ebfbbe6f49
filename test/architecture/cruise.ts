import { execFile } from 'node:child_process';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface CruiseResult {
  /** Paths of the modules found under `src`, relative to the root that was read. */
  readonly modules: readonly string[];
  /** One line per violation: `rule: from -> to`; `to` is left out where a rule looks at one file alone. */
  readonly violations: readonly string[];
}

interface CruiseOutput {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }[];
  };
}

const here = dirname(fileURLToPath(import.meta.url));
export const projectRoot = resolve(here, '../..');

const cruiser = join(projectRoot, 'node_modules/.bin/depcruise');

/** Runs the project's import rules over the `src` folder of `root`, which needs a tsconfig.json. */
export async function cruise(root: string): Promise<CruiseResult> {
  const config = relative(root, join(here, 'directions.mjs'));
  const stdout = await new Promise<string>((done, fail) => {
    execFile(
      process.execPath,
      [cruiser, '--config', config, '--output-type', 'json', 'src'],
      { cwd: root, maxBuffer: 64 * 1024 * 1024 },
      // The exit code is the number of violations, so only silence is a failure.
      (error, out, err) => (out === '' ? fail(error ?? new Error(err)) : done(out)),
    );
  });
  // The shape is dependency-cruiser's own, and a wrong one makes the tests below fail.
  const output = JSON.parse(stdout) as CruiseOutput;
  return {
    modules: output.modules.map((module) => module.source).filter((source) => source.startsWith('src/')),
    violations: output.summary.violations.map(({ rule, from, to }) =>
      from === to ? `${rule.name}: ${from}` : `${rule.name}: ${from} -> ${to}`,
    ),
  };
}
