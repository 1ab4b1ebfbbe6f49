import type { SettingsProblem } from '../core/errors.js';
import { nearest } from './nearest.js';
import type { SettingsFile } from './schema.js';

/** Which model answers, and how it is reached. */
export type ModelSettings =
  | {
      readonly type: 'openai';
      /** As the settings name it: `openai`, or a key of `providers`. */
      readonly provider: string;
      readonly name: string;
      readonly baseUrl: string;
      /** Absent for a service of one's own that asks for none. */
      readonly apiKey?: string;
      /** Whether pictures may be sent to it; absent: that is found out. */
      readonly sees?: boolean;
    }
  /** The scripted demo inside the gateway. */
  | { readonly type: 'offline'; readonly provider: string; readonly name: string };

export type ResolvedModel =
  | { readonly ok: true; readonly model: ModelSettings }
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] };

const OPENAI_URL = 'https://api.openai.com/v1';
const OPENAI_MODEL = 'gpt-4.1-mini';

const builtIn = ['openai', 'anthropic', 'bedrock', 'offline'] as const;
type ProviderType = (typeof builtIn)[number];

const isBuiltIn = (name: string): name is ProviderType => builtIn.some((one) => one === name);

const failed = (problem: SettingsProblem): ResolvedModel => ({ ok: false, problems: [problem] });

const notBuilt = (name: string, type: string): ResolvedModel =>
  failed({
    path: 'model.provider',
    expected: 'openai, offline, or a name in providers whose type is openai',
    got: name,
    advice: `The ${type} protocol is not built yet; many services also speak openai: write type openai and their base_url.`,
  });

const unknownProvider = (name: string, known: readonly string[]): ResolvedModel =>
  failed({
    path: 'model.provider',
    expected: `one of ${known.join(', ')}`,
    got: name,
    advice:
      nearest(name, known) === undefined
        ? `Write one of these, or add \`${name}\` to providers.`
        : `Write \`provider: ${nearest(name, known)}\`.`,
  });

const nameless = (provider: string): SettingsProblem => ({
  path: 'model.default',
  expected: `the name of a model of ${provider}`,
  got: 'nothing',
  advice: 'Write `default: …` below model:, as that service spells it.',
});

const keyless: SettingsProblem = {
  path: 'model.api_key',
  expected: 'an API key of OpenAI',
  got: 'nothing',
  advice:
    'Set OPENAI_API_KEY (in .env or the environment), or write base_url if a server of your own answers.',
};

interface ModelSections {
  readonly model: {
    readonly provider?: string | undefined;
    readonly default?: string | undefined;
    readonly base_url?: string | undefined;
    readonly api_key?: string | undefined;
    readonly vision?: 'auto' | boolean | undefined;
  };
  readonly providers: SettingsFile['providers'];
}

const providerOf = ({ provider, api_key: key }: ModelSections['model']): string =>
  provider ?? (key === undefined ? 'offline' : 'openai');

/** The provider is openai if a key is set, else offline; what stands below `model` beats what stands in `providers`. */
export const resolveModel = ({ model, providers }: ModelSections): ResolvedModel => {
  const provider = providerOf(model);
  const entry = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  const type = entry?.type ?? (isBuiltIn(provider) ? provider : undefined);
  switch (type) {
    case undefined:
      return unknownProvider(provider, [...builtIn, ...Object.keys(providers)]);
    case 'anthropic':
    case 'bedrock':
      return notBuilt(provider, type);
    case 'offline':
      return { ok: true, model: { type, provider, name: 'offline' } };
    case 'openai': {
      const apiKey = model.api_key ?? entry?.api_key;
      const baseUrl = (model.base_url ?? entry?.base_url ?? OPENAI_URL).replace(/\/+$/u, '');
      const name = model.default ?? (provider === 'openai' ? OPENAI_MODEL : undefined);
      const problems = [
        ...(apiKey === undefined && baseUrl === OPENAI_URL ? [keyless] : []),
        ...(name === undefined ? [nameless(provider)] : []),
      ];
      if (name === undefined || problems.length > 0) return { ok: false, problems };
      const { vision = 'auto' } = model;
      return {
        ok: true,
        model: {
          type,
          provider,
          name,
          baseUrl,
          ...(apiKey !== undefined && { apiKey }),
          ...(vision !== 'auto' && { sees: vision }),
        },
      };
    }
  }
};

const keylessFallback =
  'Write its api_key in providers, below the name that the fallback gives as its provider.';

/**
 * Who answers, in this order, when the model cannot. What stands below `model` (address, key) holds for a fallback of the
 * same provider; every other one needs its own in `providers`.
 */
export const resolveFallbacks = ({
  model,
  providers,
  fallback_providers: fallbacks,
}: ModelSections & Pick<SettingsFile, 'fallback_providers'>): {
  readonly models: readonly ModelSettings[];
  readonly problems: readonly SettingsProblem[];
} => {
  const primary = providerOf(model);
  const resolved = fallbacks.map(({ provider, model: name }) => {
    const access = provider === primary ? { base_url: model.base_url, api_key: model.api_key } : {};
    return resolveModel({ model: { ...access, provider, default: name }, providers });
  });
  return {
    models: resolved.flatMap((one) => (one.ok ? [one.model] : [])),
    problems: resolved.flatMap((one, index) => (one.ok ? [] : one.problems.map(toFallbackProblem(index)))),
  };
};

const toFallbackProblem =
  (index: number) =>
  ({ path, ...problem }: SettingsProblem): SettingsProblem => ({
    ...problem,
    path: `fallback_providers.${index}.provider`,
    advice: path === keyless.path ? keylessFallback : problem.advice,
  });
