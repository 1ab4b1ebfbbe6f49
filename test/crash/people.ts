import { text, toolCall } from '../emulators/openai/control.js';
import { chatIdOf, effectText, type Letter, pictureAnswer, readWish } from './letters.js';
import type { FarSide } from './moments.js';
import { isAnsweredUpTo } from './verdict.js';

const ANSWER_TIMEOUT_MS = 30_000;

/** Those who write, and the model's orders for what they wish. */
export class People {
  readonly #far: FarSide;
  readonly #picture: string;
  readonly #written: { readonly letter: Letter; readonly cycle: number }[] = [];
  readonly #updateIds = new Map<string, number>();

  /** `picture` is a file that may be sent. */
  constructor(far: FarSide, picture: string) {
    this.#far = far;
    this.#picture = picture;
  }

  get letters(): readonly Letter[] {
    return this.#written.map(({ letter }) => letter);
  }

  /** The update by which a letter was sent. */
  updateIdOf(token: string): number {
    const updateId = this.#updateIds.get(token);
    if (updateId === undefined) throw new Error(`${token} was not sent`);
    return updateId;
  }

  async prepare(): Promise<void> {
    const read = toolCall('read_file', { path: 'note.txt' });
    await this.#far.openai.always({ userText: readWish, toolResults: false }, read);
  }

  /** In order within a chat; chats do not wait for each other. */
  async write(letters: readonly Letter[], cycle: number): Promise<void> {
    const { telegram, openai } = this.#far;
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
          const { updateId } = await telegram.sendDirect(chatIdOf(chat), letter.text);
          this.#updateIds.set(letter.token, updateId);
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
    await Promise.all([...lastNumbers].map(([chat, number]) => this.#untilAnsweredIn(chat, number)));
  }

  async #untilAnsweredIn(chat: number, number: number): Promise<void> {
    await this.#far.telegram.waitForChat(
      chatIdOf(chat),
      (messages) => {
        const texts = messages.filter(({ from }) => from === 'bot').map(({ text }) => text);
        return isAnsweredUpTo(number, texts);
      },
      { timeoutMs: ANSWER_TIMEOUT_MS },
    );
  }
}
