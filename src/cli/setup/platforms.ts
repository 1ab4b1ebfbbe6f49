import type { PlatformSettings } from '../../config/index.js';
import type { Clock } from '../../core/clock.js';
import type { PlatformDefinition, PlatformProbe, PlatformSection } from '../../core/platform-definition.js';
import { LIMIT_MS, reasonOf } from '../checks/finding.js';
import { emptyPlan, joinPlans, type Plan } from './plan.js';
import { askWhatNow, type Questions } from './questions.js';

interface Scene {
  readonly questions: Questions;
  readonly clock: Clock;
}

/** The variable that sets a key of the section. */
const variableOf = ({ environment }: PlatformDefinition, key: string): string | undefined =>
  Object.entries<string>(environment).find(([, set]) => set === key)?.[0];

const upperFirst = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** The section with other values; a sentence if it does not take them. */
const withValues = (
  { definition, section }: PlatformSettings,
  values: Readonly<Record<string, unknown>>,
): PlatformSection | string => {
  const { data, error } = definition.section.safeParse({ ...section, enabled: undefined, ...values });
  if (data !== undefined) return data;
  const [expected = '', ...advice] = (error?.issues[0]?.message ?? 'expected something else').split('; ');
  return upperFirst([expected, ...advice].join('; ')).replace(/([^.!?])$/u, '$1.');
};

interface Credential {
  readonly plan: Plan;
  readonly section: PlatformSection;
}

const askForToken = async (
  platform: PlatformSettings,
  probe: PlatformProbe<PlatformSection>,
  { questions, clock }: Scene,
): Promise<Credential | undefined> => {
  const { definition } = platform;
  const key = definition.secretKeys[0] ?? 'token';
  const variable = variableOf(definition, key);
  if (variable === undefined) return undefined;
  for (;;) {
    const fits = (answer: string): string | undefined => {
      const section = withValues(platform, { [key]: answer });
      if (answer === '') return `Please write the ${key}.`;
      return typeof section === 'string' ? section : undefined;
    };
    const token = await questions.text(upperFirst(key), { check: fits });
    const section = withValues(platform, { [key]: token });
    if (typeof section === 'string') return undefined;
    const credential = { section, plan: { variables: { [variable]: token }, settings: [] } };
    questions.say('Trying it …');
    try {
      const who = await probe.identify(section, { clock }, { signal: AbortSignal.timeout(LIMIT_MS) });
      questions.say(`✓ It is good: ${who}\n`);
      return credential;
    } catch (error) {
      questions.say(`✗ ${reasonOf(error)}\n`);
    }
    const next = await askWhatNow(questions);
    if (next !== 'again') return next === 'keep' ? credential : undefined;
  }
};

const toList = (text: string): readonly string[] =>
  text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');

const askForUsers = async (platform: PlatformSettings, { questions }: Scene): Promise<Plan> => {
  const { definition, section } = platform;
  const variable = variableOf(definition, 'allowed_users');
  if (variable === undefined) return emptyPlan;
  const present = definition.access(section).users.join(',');
  const answer = await questions.text(
    `Your user id in ${definition.title}; several with commas, empty: you get a code when you write`,
    {
      usual: present,
      check: (text) => {
        const parsed = withValues(platform, { allowed_users: toList(text) });
        return typeof parsed === 'string' ? parsed : undefined;
      },
    },
  );
  return answer === present
    ? emptyPlan
    : { variables: { [variable]: toList(answer).join(',') }, settings: [] };
};

const askForPlatform = async (platform: PlatformSettings, scene: Scene): Promise<Plan> => {
  const { definition, section, isEnabled } = platform;
  const { probe, title, id } = definition;
  if (probe === undefined) return emptyPlan;
  const question = isEnabled ? `${title} is set up. Change it?` : `Connect ${title}?`;
  if (!(await scene.questions.isYes(question, false))) return emptyPlan;
  scene.questions.say(definition.connectHint.split('\n')[0] ?? '');
  const credential = await askForToken(platform, probe, scene);
  if (credential === undefined) return emptyPlan;
  const users = await askForUsers({ ...platform, section: credential.section }, scene);
  const on: Plan =
    section.enabled === false
      ? { variables: {}, settings: [{ path: ['platforms', id, 'enabled'], value: undefined }] }
      : emptyPlan;
  return joinPlans([credential.plan, users, on]);
};

/** Asks about every platform that has credentials, one after another. */
export const askForPlatforms = async (
  platforms: readonly PlatformSettings[],
  scene: Scene,
): Promise<Plan> => {
  const plans: Plan[] = [];
  for (const platform of platforms) plans.push(await askForPlatform(platform, scene));
  return joinPlans(plans);
};
