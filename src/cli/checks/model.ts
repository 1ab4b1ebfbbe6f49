import type { Settings } from '../../config/index.js';
import { describeModel, toShownAddress } from '../../core/setting-words.js';
import { askModel } from '../../inspect.js';
import { type Finding, LIMIT_MS, reasonOf, type SettledContext, withoutStop } from './finding.js';

const wordsFor = (model: Settings['model']): string =>
  describeModel({
    name: model.name,
    isDemo: model.type === 'offline',
    ...(model.type !== 'offline' && { address: toShownAddress(model.baseUrl) }),
  });

const check = async (model: Settings['model'], title: string, context: SettledContext): Promise<Finding> => {
  const base = { id: title === 'Model' ? 'model' : `model.${model.name}`, title };
  const words = wordsFor(model);
  if (model.type === 'offline')
    return {
      ...base,
      state: 'note',
      text: words,
      fix: `\`${context.edge.program} setup\` connects a real one.`,
    };
  const { clock, settings } = context;
  try {
    const ports = { clock, secrets: settings.secrets };
    const error = await askModel(model, ports, { signal: AbortSignal.timeout(LIMIT_MS) });
    if (error === undefined) return { ...base, state: 'ok', text: `${words} answers` };
    const fix = error.userText ?? 'The log says more.';
    return { ...base, state: 'mend', text: withoutStop(error.message), fix };
  } catch (error) {
    const fix = 'Check that it is well; a server of your own may still be loading the model.';
    return { ...base, state: 'mend', text: `${words}: ${reasonOf(error)}`, fix };
  }
};

/** The model and those that stand in for it, each asked for a word. */
export const checkModels = (context: SettledContext): Promise<readonly Finding[]> =>
  Promise.all([
    check(context.settings.model, 'Model', context),
    ...context.settings.fallbacks.map((model) => check(model, 'Stand-in', context)),
  ]);
