import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Edge } from '../../src/cli/edge.js';
import type { LineEditor, LineEditorEvents } from '../../src/cli/line-editor.js';

const homes: string[] = [];
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

const newHome = (): string => {
  const home = mkdtempSync(join(tmpdir(), 'hermes-cli-'));
  homes.push(home);
  return home;
};

interface FakeEdgeOptions {
  readonly home?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly isTerminal?: boolean;
  /** What is piped in. */
  readonly stdin?: string;
  /** What is typed at a terminal. */
  readonly line?: string;
}

/** A process that exists only for a test: what it wrote can be read, and it gets its signals by hand. */
export class FakeEdge implements Edge {
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly version = '1.2.3';
  readonly program = 'hermes';
  readonly pid = 4711;
  readonly stdout;
  readonly stderr;
  readonly stdin;
  readonly #stop = new AbortController();
  readonly #reloads: (() => void)[] = [];
  readonly #crashes: ((error: unknown) => void)[] = [];
  #editing: LineEditorEvents | undefined;
  readonly #watchers = new Set<() => void>();
  out = '';
  err = '';

  constructor({ home = newHome(), environment = {}, isTerminal = false, stdin, line }: FakeEdgeOptions = {}) {
    this.home = home;
    this.environment = { HERMES_HOME: home, ...environment };
    this.stdout = {
      isTerminal,
      write: (text: string) => {
        this.out += text;
        for (const watcher of this.#watchers) watcher();
      },
    };
    this.stderr = {
      isTerminal,
      write: (text: string) => {
        this.err += text;
        for (const watcher of this.#watchers) watcher();
      },
    };
    const lines = (line ?? stdin ?? '').split('\n');
    this.stdin = {
      isTerminal: stdin === undefined,
      readAll: async () => stdin ?? '',
      readLine: async () => lines.shift() ?? '',
      edit: (events: LineEditorEvents): LineEditor => {
        this.#editing = events;
        return { show: () => {}, hide: () => {}, close: () => {} };
      },
    };
  }

  watchStop = (): AbortSignal => this.#stop.signal;
  onReload = (callback: () => void): void => void this.#reloads.push(callback);
  onCrash = (callback: (error: unknown) => void): void => void this.#crashes.push(callback);

  stop(): void {
    this.#stop.abort();
  }

  reload(): void {
    for (const callback of this.#reloads) callback();
  }

  crash(error: unknown): void {
    for (const callback of this.#crashes) callback(error);
  }

  /** At the editor; several lines at once are pasted. */
  type(...lines: readonly string[]): void {
    for (const line of lines) this.#editing?.onLine(line);
  }

  /** Ctrl-C on an empty line. */
  interrupt(): void {
    this.#editing?.onInterrupt(false);
  }

  /** Ctrl-D. */
  endInput(): void {
    this.#editing?.onEnd();
  }

  /** Resolves once stderr holds the text. */
  told(text: string): Promise<void> {
    return this.#until(() => this.err.includes(text));
  }

  /** The same of stdout. */
  shows(text: string): Promise<void> {
    return this.#until(() => this.out.includes(text));
  }

  #until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!isSo()) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }
}
