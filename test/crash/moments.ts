/** Waiting for the moment of a kill. What has to be prepared is prepared before anybody writes. */
import { echo, gate, type OpenAiControl } from '../emulators/openai/control.js';
import type { FaultAction, TelegramControl } from '../emulators/telegram/control.js';
import { chatIdOf, effectText } from './letters.js';
import type { Moment } from './plan.js';

export interface FarSide {
  readonly telegram: TelegramControl;
  readonly openai: OpenAiControl;
}

export interface ArmedMoment {
  /** Resolves at the moment; rejects if it does not come in time. */
  readonly reached: () => Promise<void>;
}

/** Longer than anything takes on a busy machine. */
const TIMEOUT_MS = 30_000;
const timeout = { timeoutMs: TIMEOUT_MS };
const EVENTS_BEFORE_EDIT = 4;
const FLOOD_SECONDS = 1;

/** `updateIdOf` gives the update by which a letter was sent; it is asked when the moment is waited for. */
export async function armMoment(
  moment: Moment,
  { telegram, openai }: FarSide,
  updateIdOf: (token: string) => number,
): Promise<ArmedMoment> {
  switch (moment.type) {
    case 'start':
    case 'calls':
    case 'stop': {
      const { calls } = await telegram.state();
      const count = calls + (moment.type === 'start' ? moment.calls : moment.count);
      return { reached: () => telegram.wait({ kind: 'calls', count, pending: true }, timeout) };
    }
    case 'requests': {
      const requests = (await openai.status()).requestCount + moment.count;
      const signal = (): AbortSignal => AbortSignal.timeout(TIMEOUT_MS);
      return { reached: async () => void (await openai.waitFor({ requests }, signal())) };
    }
    case 'confirmed':
      return { reached: () => telegram.waitForConfirmed(updateIdOf(moment.letter.token), timeout) };
    case 'flooded':
      return armFlood(telegram, `echo: ${moment.letter.token}`);
    case 'held-send':
      return armSend(telegram, `echo: ${moment.letter.token}`, moment.applied);
    case 'held-effect':
      return armSend(telegram, effectText(moment.letter), moment.applied);
    case 'held-model':
      return armModel(moment, { telegram, openai });
    case 'held-edit':
      return armEdit(moment, { telegram, openai });
  }
}

const hang = (applied: boolean): FaultAction => ({ kind: 'hang', applied });

async function armSend(
  telegram: TelegramControl,
  textContains: string,
  applied: boolean,
): Promise<ArmedMoment> {
  const fault = await telegram.fault({ method: 'sendMessage', textContains }, hang(applied));
  return { reached: () => fault.waitUntilHeld(1, timeout) };
}

async function armFlood(telegram: TelegramControl, textContains: string): Promise<ArmedMoment> {
  const answers = { method: 'sendMessage', textContains };
  await telegram.flood(answers, FLOOD_SECONDS);
  return { reached: () => telegram.wait({ kind: 'calls', count: 1, ok: false, ...answers }, timeout) };
}

async function armModel(
  { letter, events, preview }: Extract<Moment, { type: 'held-model' }>,
  far: FarSide,
): Promise<ArmedMoment> {
  const { token } = letter;
  await far.openai.when({ userText: token }, gate(echo({ chunkSize: 4 }), token, events));
  return {
    reached: async () => {
      await far.openai.waitFor({ gate: token }, AbortSignal.timeout(TIMEOUT_MS));
      if (preview) await waitForPreview(far, letter.chat);
    },
  };
}

async function armEdit(
  { letter, applied }: Extract<Moment, { type: 'held-edit' }>,
  far: FarSide,
): Promise<ArmedMoment> {
  const { token, chat } = letter;
  const { telegram, openai } = far;
  await openai.when({ userText: token }, gate(echo({ chunkSize: 4 }), token, EVENTS_BEFORE_EDIT));
  const fault = await telegram.fault(
    { method: 'editMessageText', chatId: chatIdOf(chat), textContains: token },
    hang(applied),
  );
  return {
    reached: async () => {
      await openai.waitFor({ gate: token }, AbortSignal.timeout(TIMEOUT_MS));
      await waitForPreview(far, chat);
      await openai.openGate(token);
      await fault.waitUntilHeld(1, timeout);
    },
  };
}

/** The chat is quiet, so its last message is the person's until a preview follows. */
async function waitForPreview({ telegram }: FarSide, chat: number): Promise<void> {
  await telegram.waitForChat(chatIdOf(chat), (messages) => messages.at(-1)?.from === 'bot', timeout);
}

/** Lets go of everything that was prepared; for after the kill. */
export function disarm({ telegram }: FarSide): Promise<void> {
  return telegram.clearFaults();
}
