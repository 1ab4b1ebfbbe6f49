/** Whole-daemon help for answers with files: sends a reply over a platform and says what arrived there. */
import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect } from 'vitest';
import { type ScriptedResponse, text } from '../emulators/openai/control.js';
import { user, type World } from './world.js';

export const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const heads: Readonly<Record<string, Buffer>> = {
  png,
  jpg: Buffer.from('ffd8ffe000104a464946', 'hex'),
  mp4: Buffer.from('0000001866747970mp42'.replace('mp42', '6d703432'), 'hex'),
  ogg: Buffer.from('OggS'.padEnd(28, '\0').concat('OpusHead')),
};

/** A file that begins like one of its kind; `sizeBytes` long, the rest of it a hole. */
export const place = async (path: string, sizeBytes?: number): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, sizeBytes === 0 ? '' : (heads[path.split('.').at(-1) ?? ''] ?? 'content'));
  if (sizeBytes === undefined) return;
  const handle = await open(path, 'r+');
  await handle.truncate(sizeBytes);
  await handle.close();
};

export interface Arrived {
  readonly texts: readonly string[];
  /** Names in the order of arrival. */
  readonly files: readonly string[];
}

const isQuiet = async ({ daemon }: World): Promise<boolean> => {
  const { queues } = await daemon.services.status();
  return queues.runningTurns === 0 && queues.pendingDeliveries === 0;
};

const namesIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [];
  if ('fileName' in value && 'sizeBytes' in value) return [String(value.fileName)];
  return Object.values(value).flatMap(namesIn);
};

/** Sends the reply in the Telegram chat. */
export const replyOnTelegram = async (world: World, reply: string | ScriptedResponse): Promise<Arrived> => {
  const { telegram, model, passing } = world;
  const { requestCount } = await model.waitFor({ requests: 0 });
  await telegram.clearCalls();
  const before = (await telegram.botTexts(user)).length;
  await model.respond(typeof reply === 'string' ? text(reply) : reply);
  await telegram.sendDirect(user, 'go');
  await passing(model.waitFor({ requests: requestCount + 1, idle: true }));
  await passing(expect.poll(() => isQuiet(world), { timeout: 8_000, interval: 20 }).toBe(true));
  const calls = await telegram.calls({ ok: true });
  const uploads = calls.filter(({ method }) => /^send(?!Message$|ChatAction$)/u.test(method));
  return {
    texts: (await telegram.botTexts(user)).slice(before).filter((one) => one !== ''),
    files: uploads.flatMap(({ params }) => namesIn(params)),
  };
};

interface PageMessage {
  readonly role: string;
  readonly text: string;
  readonly media: readonly { readonly url: string; readonly name: string }[];
}

let sessions = 0;

/** Sends the reply in a chat of the page. */
export const replyOnPage = async (world: World, reply: string | ScriptedResponse): Promise<Arrived> => {
  const { model, passing, pageUrl } = world;
  sessions += 1;
  const address = new URL(`/api/sessions/s${sessions}/messages`, pageUrl());
  await model.respond(typeof reply === 'string' ? text(reply) : reply);
  const read = async (): Promise<readonly PageMessage[]> =>
    ((await (await fetch(address)).json()) as { messages: readonly PageMessage[] }).messages;
  await fetch(address, { method: 'POST', body: JSON.stringify({ text: 'go' }) });
  await passing(
    expect
      .poll(async () => (await isQuiet(world)) && (await read()).length > 1, { timeout: 8_000, interval: 20 })
      .toBe(true),
  );
  const answers = (await read()).filter(({ role }) => role === 'assistant');
  return {
    texts: answers.map((one) => one.text).filter((one) => one !== ''),
    files: answers.flatMap(({ media }) => media.map(({ name }) => name)),
  };
};

export const everywhere = [
  ['Telegram', replyOnTelegram],
  ['the page', replyOnPage],
] as const;
