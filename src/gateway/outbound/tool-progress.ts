/**
 * What tools do, as one message a turn that is edited while they run.
 *
 * 1. It tells what was begun and what failed, never that something is still going on: one that a kill leaves behind is
 *    true for ever, and a resumed turn begins one of its own.
 * 2. It is never begun beneath an answer that is being written, so that the answer stays last.
 * 3. Its frames are a preview's: they give way to messages, and slow down with the chat.
 */
import type { TurnEvent } from '../../core/turn.js';
import type { PreviewWriter } from './preview.js';

export const toolProgressModes = ['off', 'new', 'all'] as const;
/** `new`: a tool is named when it is another than the one before; `all`: every call is. */
export type ToolProgressMode = (typeof toolProgressModes)[number];

/** The newest calls fit one message of every platform, and one screen. */
const MAX_LINES = 12;
const MAX_SUMMARY = 40;

interface Line {
  readonly call: string;
  readonly name: string;
  readonly summary: string;
  readonly isFailed: boolean;
}

/** Code, so that nothing in it is taken for markup. */
const toCode = (summary: string): string => {
  const characters = [...summary.replace(/\s+/gu, ' ').replaceAll('`', "'").trim()];
  if (characters.length === 0) return '';
  const isLong = characters.length > MAX_SUMMARY;
  return ` \`${characters.slice(0, isLong ? MAX_SUMMARY - 1 : MAX_SUMMARY).join('')}${isLong ? '…' : ''}\``;
};

const toText = (lines: readonly Line[]): string => {
  const earlier = lines.length - MAX_LINES;
  const shown = lines
    .slice(-MAX_LINES)
    .map(({ name, summary, isFailed }) => `🔧 ${name}${toCode(summary)}${isFailed ? ' – failed' : ''}`);
  return [...(earlier > 0 ? [`… ${earlier} before`] : []), ...shown].join('\n');
};

interface ToolProgressOptions {
  readonly mode: ToolProgressMode;
  /** Undefined where the platform cannot show one. `mayBegin` is asked before it is first sent. */
  createPreview(mayBegin: () => boolean): PreviewWriter | undefined;
}

export class ToolProgress {
  readonly #options: ToolProgressOptions;
  #lines: Line[] = [];
  #preview: PreviewWriter | undefined;
  #isAnswering = false;

  constructor(options: ToolProgressOptions) {
    this.#options = options;
  }

  show(event: TurnEvent): void {
    const { mode, createPreview } = this.#options;
    if (mode === 'off') return;
    switch (event.type) {
      case 'text-delta':
        this.#isAnswering = true;
        return;
      case 'tool-start': {
        this.#isAnswering = false;
        const { call, name, summary } = event;
        if (mode === 'new' && this.#lines.at(-1)?.name === name) return;
        this.#lines.push({ call, name, summary, isFailed: false });
        this.#preview ??= createPreview(() => !this.#isAnswering);
        break;
      }
      case 'tool-end': {
        const { call, isError } = event;
        if (!isError || !this.#lines.some((line) => line.call === call)) return;
        this.#lines = this.#lines.map((line) => (line.call === call ? { ...line, isFailed: true } : line));
        break;
      }
      default:
        return;
    }
    this.#preview?.update(toText(this.#lines));
  }

  /** Never rejects. */
  async end(): Promise<void> {
    this.#isAnswering = true;
    await this.#preview?.conclude();
  }
}
