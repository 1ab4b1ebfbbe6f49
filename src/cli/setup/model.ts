import type { Settings } from '../../config/index.js';
import type { Clock } from '../../core/clock.js';
import { describeModel, toShownAddress } from '../../core/setting-words.js';
import { askModel } from '../../inspect.js';
import { LIMIT_MS, reasonOf } from '../checks/finding.js';
import { emptyPlan, type Plan } from './plan.js';
import { askWhatNow, type Questions } from './questions.js';

interface Access {
  readonly name: string;
  /** Absent: OpenAI's own. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
}

const OPENAI_URL = 'https://api.openai.com/v1';

const needed = (what: string) => (answer: string) => (answer === '' ? `Please write ${what}.` : undefined);

const checkUrl = (answer: string): string | undefined =>
  URL.canParse(answer) && /^https?:/u.test(answer)
    ? undefined
    : 'That is no address. Write one like http://127.0.0.1:11434/v1.';

const askOpenAi = async (questions: Questions): Promise<Access> => {
  questions.say('Keys are made at https://platform.openai.com/api-keys.');
  const apiKey = await questions.text('API key', { check: needed('the key') });
  return { apiKey, name: await questions.text('Model', { usual: 'gpt-4.1-mini' }) };
};

const askOther = async (questions: Questions): Promise<Access> => {
  const baseUrl = await questions.text('Address (base URL)', { check: checkUrl });
  const name = await questions.text('Model, as that service names it', { check: needed('its name') });
  const apiKey = await questions.text('API key (empty: it asks for none)');
  return { baseUrl: baseUrl.replace(/\/+$/u, ''), name, ...(apiKey !== '' && { apiKey }) };
};

/** Undefined if the model answers. */
const findFault = async ({ name, baseUrl = OPENAI_URL, apiKey }: Access, clock: Clock) => {
  const model = { type: 'openai', provider: 'openai', name, baseUrl } as const;
  const secrets = apiKey === undefined ? [] : [apiKey];
  try {
    const error = await askModel(
      { ...model, ...(apiKey !== undefined && { apiKey }) },
      { clock, secrets },
      { signal: AbortSignal.timeout(LIMIT_MS) },
    );
    return error?.message;
  } catch (error) {
    return reasonOf(error);
  }
};

/** The variables OPENAI_… belong to whoever is called openai, and would win over config.yaml. */
const toPlan = ({ name, baseUrl, apiKey }: Access): Plan => ({
  variables: { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: undefined },
  settings: [
    { path: ['model', 'provider'], value: 'openai' },
    { path: ['model', 'default'], value: name },
    { path: ['model', 'base_url'], value: baseUrl },
    { path: ['model', 'api_key'], value: undefined },
  ],
});

const keeps = async (model: Settings['model'], questions: Questions): Promise<boolean> => {
  if (model.type === 'offline') return false;
  const words = describeModel({ name: model.name, isDemo: false, address: toShownAddress(model.baseUrl) });
  return questions.isYes(`The model is ${words}. Keep it?`, true);
};

/** Asks who answers, and tries it before it counts. */
export const askForModel = async (
  model: Settings['model'],
  { questions, clock }: { readonly questions: Questions; readonly clock: Clock },
): Promise<Plan> => {
  if (await keeps(model, questions)) return emptyPlan;
  const service = await questions.choose<'openai' | 'other' | 'none'>('Who is to answer?', [
    { key: '1', text: 'OpenAI', value: 'openai' },
    {
      key: '2',
      text: 'another service that speaks its protocol (Ollama, LM Studio, vLLM, OpenRouter …)',
      value: 'other',
    },
    { key: '3', text: 'nobody yet: leave it as it is', value: 'none' },
  ]);
  if (service === 'none') return emptyPlan;
  for (;;) {
    const access = await (service === 'openai' ? askOpenAi(questions) : askOther(questions));
    questions.say('Asking it for a word …');
    const fault = await findFault(access, clock);
    if (fault === undefined) {
      questions.say(`✓ ${access.name} answers.\n`);
      return toPlan(access);
    }
    questions.say(`✗ ${fault}\n`);
    const next = await askWhatNow(questions);
    if (next !== 'again') return next === 'keep' ? toPlan(access) : emptyPlan;
  }
};
