import type { ProviderSettings } from './agent/index.js';
import type { Settings } from './config/index.js';

/** How a model is reached, in the words of who reaches it. */
export const toModelAccess = (model: Settings['model']): ProviderSettings => {
  if (model.type === 'offline') return { settingsPath: 'model' };
  const isNamed = model.provider !== model.type;
  return {
    settingsPath: isNamed ? `providers.${model.provider}` : 'model',
    baseUrl: model.baseUrl,
    ...(model.apiKey !== undefined && { apiKey: model.apiKey }),
    ...(model.sees !== undefined && { sees: model.sees }),
  };
};
