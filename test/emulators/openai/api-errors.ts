import type { ApiError } from './script.js';

/** A refusal as the API words it: status and the members of `error`. */
export interface Refusal {
  readonly status: number;
  readonly error: ApiError;
}

export function invalid(message: string, param: string | null = null, code: string | null = null): Refusal {
  return { status: 400, error: { message, type: 'invalid_request_error', param, code } };
}

export function unparsable(): Refusal {
  return invalid(
    "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. " +
      'The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)',
  );
}

export function missing(param: string): Refusal {
  return invalid(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter');
}

export function wrongType(param: string, expected: string, value: unknown): Refusal {
  const message = `Invalid type for '${param}': expected ${expected}, but got ${named(value)} instead.`;
  return invalid(message, param, 'invalid_type');
}

export function emptyArray(param: string): Refusal {
  const expectation = 'Expected an array with minimum length 1, but got an empty array instead.';
  return invalid(`Invalid '${param}': empty array. ${expectation}`, param, 'empty_array');
}

export function tooLong(param: string, limit: number, length: number): Refusal {
  const expectation = `Expected a string with maximum length ${limit}, but got a string with length ${length} instead.`;
  return invalid(`Invalid '${param}': string too long. ${expectation}`, param, 'string_above_max_length');
}

export function noMatch(param: string, pattern: string): Refusal {
  const expectation = `Expected a string that matches the pattern '${pattern}'.`;
  return invalid(`Invalid '${param}': string does not match pattern. ${expectation}`, param, 'invalid_value');
}

export function unknownKey(key: string | null): Refusal {
  const message =
    key === null
      ? "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth."
      : `Incorrect API key provided: ${maskKey(key)}. You can find your API key at https://platform.openai.com/account/api-keys.`;
  const code = key === null ? null : 'invalid_api_key';
  return { status: 401, error: { message, type: 'invalid_request_error', param: null, code } };
}

export function unknownModel(model: string): Refusal {
  const message = `The model \`${model}\` does not exist or you do not have access to it.`;
  return {
    status: 404,
    error: { message, type: 'invalid_request_error', param: null, code: 'model_not_found' },
  };
}

export function contextExceeded(limit: number, tokens: number): Refusal {
  const message = `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`;
  return invalid(message, 'messages', 'context_length_exceeded');
}

export function unknownUrl(method: string, path: string): Refusal {
  return { ...invalid(`Invalid URL (${method} ${path})`), status: 404 };
}

export function wrongMethod(method: string, path: string): Refusal {
  const message = `Not allowed to ${method} on ${path}. (HINT: Perhaps you meant to make a POST request?)`;
  return { ...invalid(message, null, 'method_not_supported'), status: 405 };
}

/** The API shows the ends of a long key and nothing of a short one. */
function maskKey(key: string): string {
  return key.length > 12 ? `${key.slice(0, 4)}********${key.slice(-4)}` : '********';
}

function named(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal';
  return `a ${typeof value}`;
}
