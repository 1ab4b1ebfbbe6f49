import { type Environment, locateHome } from '../../config/index.js';
import { createSystemClock } from '../../host/index.js';
import { askGateway } from '../control-client.js';
import { CommandFailure, type Edge, type Run } from '../edge.js';
import { formatProblems } from '../format-problems.js';
import { parseOptions, refuseWords } from '../options.js';
import { readForCommand, readWithWarnings } from '../read-for-command.js';
import { askForModel } from '../setup/model.js';
import { draft, joinPlans, type Plan, write } from '../setup/plan.js';
import { askForPlatforms } from '../setup/platforms.js';
import { Questions } from '../setup/questions.js';
import { tell } from '../tell.js';

const STATUS_LIMIT_MS = 2_000;

const isRunning = async (socket: string): Promise<boolean> => {
  const clock = createSystemClock();
  try {
    const question = { method: 'GET', path: '/health', timeoutMs: STATUS_LIMIT_MS, clock } as const;
    return (await askGateway({ socket, ...question })).type === 'answer';
  } catch {
    return true;
  }
};

/** What the environment says wins over what is written now. */
const tellHidden = (plan: Plan, environment: Environment, questions: Questions): void => {
  for (const [name, value] of Object.entries(plan.variables)) {
    const set = environment[name]?.trim() ?? '';
    if (set !== '' && set !== value)
      questions.say(`Warning: ${name} is set in the environment and wins over .env. Take it away there.`);
  }
};

const checkWritten = async (edge: Edge): Promise<void> => {
  const read = await readWithWarnings(edge);
  if (!read.ok) tell(edge.stderr, formatProblems(read.error.problems));
};

export const run: Run = async (args, edge) => {
  refuseWords(parseOptions(args, {}).positionals);
  const paths = locateHome(edge.environment);
  if (!edge.stdin.isTerminal)
    throw new CommandFailure(
      `setup asks questions, so it needs a terminal. Without one, write ${paths.envFile} and ${paths.settingsFile} yourself (config.example.yaml explains every key), then run \`${edge.program} doctor\`.`,
    );
  const { settings } = await readForCommand(edge);
  const questions = new Questions(edge);
  questions.say(`Hermes Gateway in ${paths.home}. Nothing is written before the end; Ctrl-C leaves.\n`);
  const scene = { questions, clock: createSystemClock() };
  const model = await askForModel(settings.model, scene);
  const plan = joinPlans([model, await askForPlatforms(settings.platforms, scene)]);
  const drafts = draft(plan, paths);
  if (drafts.length === 0) {
    questions.say('\nNothing changes.');
    return 0;
  }
  questions.say('\nTo be written:');
  for (const { path, changes } of drafts)
    questions.say(`  ${path}\n${changes.map((change) => `    ${change}`).join('\n')}`);
  tellHidden(plan, edge.environment, questions);
  if (!(await questions.isYes('Write it?', true))) {
    questions.say('Nothing was written.');
    return 1;
  }
  write(drafts);
  await checkWritten(edge);
  const next = (await isRunning(paths.socket))
    ? 'Stop the running gateway and start it again, so that it uses this.'
    : `Start it with \`${edge.program} gateway\`.`;
  questions.say(`\nDone. ${next}`);
  return 0;
};
