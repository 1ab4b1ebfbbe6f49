/** Waiting for the moment of a kill. What has to be prepared is prepared before anybody writes. */
import { echo, gate, type OpenAiControl } from '../emulators/openai/control.js';
import { effectText, sideOf } from './letters.js';
import type { Moment } from './plan.js';
import { SIDE_TIMEOUT_MS } from './sides/side.js';
import { bothOf, type Sides } from './sides/sides.js';

export interface FarSide {
  readonly sides: Sides;
  readonly openai: OpenAiControl;
}

export interface ArmedMoment {
  /** Resolves at the moment; rejects if it does not come in time. */
  readonly reached: () => Promise<void>;
}

const EVENTS_BEFORE_EDIT = 4;
const inTime = (): AbortSignal => AbortSignal.timeout(SIDE_TIMEOUT_MS);

export async function armMoment(moment: Moment, { sides, openai }: FarSide): Promise<ArmedMoment> {
  switch (moment.type) {
    case 'start':
    case 'calls':
    case 'stop':
      return { reached: await sides[moment.side].afterCalls(moment.count) };
    case 'requests': {
      const requests = (await openai.status()).requestCount + moment.count;
      return { reached: async () => void (await openai.waitFor({ requests }, inTime())) };
    }
    case 'confirmed':
    case 'flooded':
    case 'held-send':
    case 'held-effect':
    case 'held-model':
    case 'held-edit':
      return { reached: await armLetter(moment, { sides, openai }) };
  }
}

type LetterMoment = Extract<Moment, { readonly letter: object }>;

async function armLetter(moment: LetterMoment, { sides, openai }: FarSide): Promise<() => Promise<void>> {
  const { letter } = moment;
  const side = sides[sideOf(letter.chat)];
  const answer = `echo: ${letter.token}`;
  switch (moment.type) {
    case 'confirmed':
      return () => side.untilStored(letter);
    case 'flooded':
      return side.flood(answer);
    case 'held-send':
      return side.holdSend(answer, moment.applied);
    case 'held-effect':
      return side.holdSend(effectText(letter), moment.applied);
    case 'held-model': {
      await openai.when(
        { userText: letter.token },
        gate(echo({ chunkSize: 4 }), letter.token, moment.events),
      );
      return async () => {
        await openai.waitFor({ gate: letter.token }, inTime());
        // The chat is quiet, so its last message is the person's until a preview follows.
        if (moment.preview) await side.untilBotIsLast(letter.chat);
      };
    }
    case 'held-edit': {
      const { token, chat } = letter;
      await openai.when({ userText: token }, gate(echo({ chunkSize: 4 }), token, EVENTS_BEFORE_EDIT));
      const held = await side.holdEdit(chat, token, moment.applied);
      return async () => {
        await openai.waitFor({ gate: token }, inTime());
        await side.untilBotIsLast(chat);
        await openai.openGate(token);
        await held();
      };
    }
  }
}

/** Lets go of everything that was prepared; for after the kill. */
export async function disarm({ sides }: FarSide): Promise<void> {
  await Promise.all(bothOf(sides).map((side) => side.clearFaults()));
}
