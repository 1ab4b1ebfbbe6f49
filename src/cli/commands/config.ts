import { platforms } from '../../adapters/index.js';
import { locateHome } from '../../config/index.js';
import { warnOfClosedPlatforms } from '../closed-platforms.js';
import { type Edge, type ExitCode, type Run, UsageError } from '../edge.js';
import { formatProblems, formatWarnings } from '../format-problems.js';
import { parseOptions, refuseWords } from '../options.js';
import { readForCommand, readWithWarnings } from '../read-for-command.js';
import { tell } from '../tell.js';

const check = async (isJson: boolean, edge: Edge): Promise<ExitCode> => {
  const { environment, stdout, stderr } = edge;
  const read = await readWithWarnings(edge);
  const problems = read.ok ? [] : read.error.problems;
  const warnings = [...read.warnings, ...(read.ok ? warnOfClosedPlatforms(read.settings) : [])];
  if (isJson) stdout.write(`${JSON.stringify({ ok: read.ok, problems, warnings }, null, 2)}\n`);
  else {
    tell(stderr, formatWarnings(warnings));
    const { home } = locateHome(environment);
    if (read.ok && warnings.length > 0)
      stdout.write(`The settings in ${home} can be used, but see the warnings above.\n`);
    else if (read.ok) stdout.write(`The settings in ${home} are fine.\n`);
    else tell(stderr, formatProblems(problems));
  }
  return read.ok ? 0 : 78;
};

const show = async (isJson: boolean, edge: Edge): Promise<ExitCode> => {
  const { shown } = await readForCommand(edge);
  if (isJson) edge.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
  else {
    const { formatYaml } = await import('../../config/format-yaml.js');
    edge.stdout.write(formatYaml(shown));
  }
  return 0;
};

const schema = async (edge: Edge): Promise<ExitCode> => {
  const { settingsJsonSchema } = await import('../../config/json-schema.js');
  edge.stdout.write(settingsJsonSchema(platforms));
  return 0;
};

export const run: Run = async (args, edge) => {
  const { values, positionals } = parseOptions(args, { json: { type: 'boolean' } });
  const [what, ...rest] = positionals;
  refuseWords(rest);
  const isJson = values.json === true;
  switch (what) {
    case 'check':
      return check(isJson, edge);
    case 'show':
      return show(isJson, edge);
    case 'path':
      edge.stdout.write(`${locateHome(edge.environment).settingsFile}\n`);
      return 0;
    case 'schema':
      return schema(edge);
    default:
      throw new UsageError(
        `${what === undefined ? 'one word is missing' : `'${what}' is unknown`}: check, show, path or schema`,
      );
  }
};
