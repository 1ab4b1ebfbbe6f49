/** The openai client for speech, and its failures in our words. */
import OpenAI, { APIConnectionError, APIError } from 'openai';
import type { RemoteEngine } from '../core/voice-settings.js';
import { statusError, unreachable } from './engine-error.js';

export const createClient = ({ baseUrl, apiKey }: RemoteEngine, usualUrl: string): OpenAI =>
  new OpenAI({
    baseURL: baseUrl ?? usualUrl,
    // The client insists on a key; a local server ignores it.
    apiKey: apiKey ?? 'none',
    organization: null,
    project: null,
    logLevel: 'off',
    maxRetries: 0,
    // There is one limit, and it is not here.
    timeout: 24 * 3_600_000,
  });

export const toEngineError = (name: string, error: unknown): unknown => {
  if (error instanceof APIConnectionError) return unreachable(name, error);
  if (!(error instanceof APIError) || error.status === undefined)
    return error instanceof Error ? unreachable(name, error) : error;
  const header = error.headers?.get('retry-after');
  return statusError(name, error.status, { detail: error.message, retryAfter: header ?? null });
};
