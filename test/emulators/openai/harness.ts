import OpenAI from 'openai';
import type { ChatCompletionChunk, ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import { afterAll, beforeAll } from 'vitest';
import { createOpenAiControl, type OpenAiControl, type WorldOptions } from './control.js';
import { type OpenAiEmulator, startOpenAiEmulator } from './server.js';

/** A world of its own on the file's emulator, and the real client for it. */
export interface TestWorld {
  readonly control: OpenAiControl;
  readonly client: OpenAI;
}

/** Starts one emulator for the test file; every call of the result makes a fresh world. */
export function useEmulator(): (options?: WorldOptions) => Promise<TestWorld> {
  let emulator: OpenAiEmulator | undefined;
  let count = 0;
  beforeAll(async () => {
    emulator = await startOpenAiEmulator();
  });
  afterAll(() => emulator?.close());
  return async (options) => {
    if (emulator === undefined) throw new Error('the emulator is started before the tests');
    count += 1;
    const control = createOpenAiControl(emulator.url, `sk-test-${count}`);
    await control.reset(options);
    return { control, client: createClient(control.baseUrl, control.key) };
  };
}

export function createClient(baseURL: string, apiKey: string): OpenAI {
  return new OpenAI({ baseURL, apiKey, maxRetries: 0 });
}

export function ask(text: string): ChatCompletionCreateParams {
  return { model: 'emulated-small', messages: [{ role: 'user', content: text }] };
}

export interface Streamed {
  readonly chunks: readonly ChatCompletionChunk[];
  readonly text: string;
  readonly finishReason: string | null;
}

/** Reads a stream to its end; what comes before a failure is handed to `onChunk`. */
export async function readStream(
  client: OpenAI,
  params: ChatCompletionCreateParams,
  onChunk: (chunk: ChatCompletionChunk) => void = () => undefined,
): Promise<Streamed> {
  const chunks: ChatCompletionChunk[] = [];
  let text = '';
  let finishReason: string | null = null;
  for await (const chunk of await client.chat.completions.create({ ...params, stream: true })) {
    chunks.push(chunk);
    onChunk(chunk);
    text += chunk.choices[0]?.delta.content ?? '';
    finishReason = chunk.choices[0]?.finish_reason ?? finishReason;
  }
  return { chunks, text, finishReason };
}

/** The answer to a request without streaming. */
export function complete(client: OpenAI, params: ChatCompletionCreateParams): Promise<OpenAI.ChatCompletion> {
  return client.chat.completions.create({ ...params, stream: false });
}

/** Resolves to what the promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('a failure was expected');
}
