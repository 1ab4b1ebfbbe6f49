import {
  contextExceeded,
  emptyArray,
  invalid,
  missing,
  type Refusal,
  unknownModel,
  unparsable,
  wrongType,
} from './api-errors.js';
import { isObject, type JsonObject, promptLength } from './conversation.js';
import type { WorldOptions } from './script.js';
import { checkMessages } from './validate-messages.js';
import { checkTools } from './validate-tools.js';

/** Four characters a token is near enough for a limit, and any reader can work it out. */
const CHARACTERS_PER_TOKEN = 4;

const KNOWN_ARGUMENTS = new Set(
  (
    'model messages stream stream_options temperature top_p n stop max_tokens max_completion_tokens presence_penalty ' +
    'frequency_penalty logit_bias logprobs top_logprobs user seed tools tool_choice parallel_tool_calls functions ' +
    'function_call response_format reasoning_effort verbosity metadata modalities audio prediction service_tier store ' +
    'web_search_options prompt_cache_key prompt_cache_retention safety_identifier'
  ).split(' '),
);

export interface AcceptedBody {
  readonly body: JsonObject;
  readonly model: string;
  readonly stream: boolean;
}

export type Verdict =
  | { readonly accepted: AcceptedBody }
  | { readonly refusal: Refusal; readonly body: unknown };

/** Judges a request body as the real API does; `raw` is the text as received. */
export function judgeBody(raw: string, options: WorldOptions, models: readonly string[]): Verdict {
  let body: unknown;
  try {
    body = JSON.parse(raw);
  } catch {
    return { refusal: unparsable(), body: raw };
  }
  if (!isObject(body)) return { refusal: unparsable(), body };
  const lax = options.strictness === 'lax';
  const refusal =
    checkFrame(body) ??
    (lax ? undefined : checkStrictly(raw, body)) ??
    checkModel(body, options, models) ??
    checkContext(body, options.contextTokens);
  if (refusal !== undefined) return { refusal, body };
  // checkFrame has seen that the model is a string.
  return { accepted: { body, model: body['model'] as string, stream: body['stream'] === true } };
}

function checkFrame(body: JsonObject): Refusal | undefined {
  const { model, messages, stream } = body;
  if (model === undefined || model === '') return invalid('you must provide a model parameter');
  if (typeof model !== 'string') return wrongType('model', 'a string', model);
  if (messages === undefined) return missing('messages');
  if (!Array.isArray(messages)) return wrongType('messages', 'an array of objects', messages);
  if (messages.length === 0) return emptyArray('messages');
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean') {
    return wrongType('stream', 'a boolean', stream);
  }
  return undefined;
}

function checkStrictly(raw: string, body: JsonObject): Refusal | undefined {
  if (hasLoneSurrogate(raw, body)) return unparsable();
  for (const name of Object.keys(body)) {
    if (!KNOWN_ARGUMENTS.has(name)) return invalid(`Unrecognized request argument supplied: ${name}`);
  }
  return checkCombinations(body) ?? checkTools(body['tools']) ?? checkMessages(body['messages'] as unknown[]);
}

function checkCombinations(body: JsonObject): Refusal | undefined {
  const given = (name: string): boolean => body[name] !== undefined && body[name] !== null;
  if (given('stream_options') && body['stream'] !== true) {
    return invalid(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      'stream_options',
    );
  }
  for (const name of ['tool_choice', 'parallel_tool_calls']) {
    if (given(name) && !given('tools')) {
      return invalid(
        `Invalid value for '${name}': '${name}' is only allowed when 'tools' are specified.`,
        name,
      );
    }
  }
  if (given('max_tokens') && given('max_completion_tokens')) {
    const message = "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.";
    return invalid(message, 'max_tokens', 'invalid_parameter_combination');
  }
  return undefined;
}

function checkModel(body: JsonObject, options: WorldOptions, models: readonly string[]): Refusal | undefined {
  const model = String(body['model']);
  return options.onlyListedModels === true && !models.includes(model) ? unknownModel(model) : undefined;
}

function checkContext(body: JsonObject, limit: number | undefined): Refusal | undefined {
  if (limit === undefined) return undefined;
  const tokens = Math.ceil(promptLength(body) / CHARACTERS_PER_TOKEN);
  return tokens > limit ? contextExceeded(limit, tokens) : undefined;
}

/**
 * In well-formed UTF-8 a lone surrogate can only come from an escape, so a body without such escapes needs no walk;
 * clients that escape everything write proper pairs in the same way.
 */
function hasLoneSurrogate(raw: string, body: unknown): boolean {
  return /\\u[dD][89a-fA-F]/.test(raw) && holdsLoneSurrogate(body);
}

function holdsLoneSurrogate(value: unknown): boolean {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value);
  if (Array.isArray(value)) return value.some(holdsLoneSurrogate);
  return isObject(value) && Object.entries(value).flat().some(holdsLoneSurrogate);
}
