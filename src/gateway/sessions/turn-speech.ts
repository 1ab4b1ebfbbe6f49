import type { PlatformAdapter } from '../../core/platform.js';
import type { ModelMessage } from '../../core/provider.js';
import type { TurnRecord } from '../../core/stores.js';
import { heardNote } from '../media/receive.js';
import { decideSpeech, type SpeechWish } from '../voice/speech-policy.js';
import type { SessionDeps } from './types.js';

/** Whether a turn's answer is to be spoken: known by what it answers, so that a resumed turn knows it too. */
export class TurnSpeech {
  readonly #turn: TurnRecord;
  readonly #adapter: PlatformAdapter | undefined;
  readonly #deps: SessionDeps;
  #wasSaid = false;

  constructor(turn: TurnRecord, adapter: PlatformAdapter | undefined, deps: SessionDeps) {
    this.#turn = turn;
    this.#adapter = adapter;
    this.#deps = deps;
  }

  /** What the turn answers, or what joined it; the newest message counts. */
  note(messages: readonly ModelMessage[]): void {
    const newest = messages.findLast(({ role }) => role === 'user');
    if (newest !== undefined) this.#wasSaid = newest.text.includes(heardNote);
  }

  wish(): SpeechWish | undefined {
    const { origin } = this.#turn.caller;
    const isDrawn = this.#adapter?.progress !== undefined;
    return decideSpeech(this.#deps.voiceChoice(origin), this.#deps.voice.mode, {
      wasSaid: this.#wasSaid,
      isDrawn,
    });
  }
}
