import { text, toolCall } from '../emulators/openai/control.js';
import { effectText, type Letter, pictureAnswer, readWish, sideOf } from './letters.js';
import type { FarSide } from './moments.js';
import { isAnsweredUpTo } from './verdict.js';

/** Those who write, and the model's orders for what they wish. */
export class People {
  readonly #far: FarSide;
  readonly #picture: string;
  readonly #written: { readonly letter: Letter; readonly cycle: number }[] = [];

  /** `picture` is a file that may be sent. */
  constructor(far: FarSide, picture: string) {
    this.#far = far;
    this.#picture = picture;
  }

  get letters(): readonly Letter[] {
    return this.#written.map(({ letter }) => letter);
  }

  async prepare(): Promise<void> {
    const read = toolCall('read_file', { path: 'note.txt' });
    await this.#far.openai.always({ userText: readWish, toolResults: false }, read);
  }

  /** In order within a chat; chats do not wait for each other. */
  async write(letters: readonly Letter[], cycle: number): Promise<void> {
    const { sides, openai } = this.#far;
    for (const letter of letters.filter(({ kind }) => kind === 'effect')) {
      const call = { action: 'send', target: 'origin', message: effectText(letter) };
      await openai.always({ userText: letter.token, toolResults: false }, toolCall('send_message', call));
    }
    for (const letter of letters.filter(({ kind }) => kind === 'picture')) {
      await openai.always({ userText: letter.token }, text(pictureAnswer(letter, this.#picture)));
    }
    const chats = [...new Set(letters.map(({ chat }) => chat))];
    await Promise.all(
      chats.map(async (chat) => {
        for (const letter of letters.filter((other) => other.chat === chat)) {
          this.#written.push({ letter, cycle });
          await sides[sideOf(chat)].write(letter);
        }
      }),
    );
  }

  /** Waits until everything that was written up to a cycle has its answer. */
  async untilAnswered(cycle: number): Promise<void> {
    const lastNumbers = new Map<number, number>();
    for (const { letter, cycle: writtenIn } of this.#written) {
      if (writtenIn > cycle) continue;
      lastNumbers.set(letter.chat, Math.max(letter.number, lastNumbers.get(letter.chat) ?? 0));
    }
    await Promise.all(
      [...lastNumbers].map(([chat, number]) =>
        this.#far.sides[sideOf(chat)].untilShown(chat, (texts) => isAnsweredUpTo(number, texts)),
      ),
    );
  }
}
