/** A line to type on, below what is written meanwhile. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

export interface LineEditorEvents {
  readonly onLine: (line: string) => void;
  /** Ctrl-C; whether something stood on the line, which is gone now. */
  readonly onInterrupt: (hadText: boolean) => void;
  /** Ctrl-D, or the end of the input. */
  readonly onEnd: () => void;
}

export interface LineEditor {
  /** Shows the line with what is typed so far. */
  show(): void;
  /** Takes the line off the screen; what is typed is kept, and not seen until it is shown again. */
  hide(): void;
  close(): void;
}

const PROMPT = '› ';

export const openLineEditor = (
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  events: LineEditorEvents,
): LineEditor => {
  let isShown = false;
  const screen = new Writable({
    write(chunk, _encoding, done) {
      if (isShown) output.write(chunk);
      done();
    },
  });
  // The editor asks how wide the screen is.
  Object.defineProperty(screen, 'columns', { get: () => output.columns });
  const editor = createInterface({ input, output: screen, terminal: input.isTTY, prompt: PROMPT });
  editor.on('line', events.onLine);
  editor.on('close', events.onEnd);
  editor.on('SIGINT', () => {
    const hadText = editor.line !== '';
    if (hadText) {
      editor.write(null, { ctrl: true, name: 'e' });
      editor.write(null, { ctrl: true, name: 'u' });
    }
    events.onInterrupt(hadText);
  });
  return {
    show: () => {
      if (isShown) return;
      isShown = true;
      editor.prompt(true);
    },
    hide: () => {
      if (!isShown) return;
      isShown = false;
      if (input.isTTY) output.write('\r\u001B[J');
    },
    close: () => {
      isShown = false;
      editor.off('close', events.onEnd);
      editor.close();
    },
  };
};
