/** Commands for tools (see core/commands.ts): those that a call waits for, and those that run beside the conversation. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  BackgroundCommand,
  CommandOwner,
  CommandRequest,
  CommandResult,
  CommandService,
  CommandSettings,
  NoticeService,
} from '../../core/commands.js';
import type { SessionId } from '../../core/ids.js';
import type { Logger } from '../../core/logger.js';
import { toRoute } from '../../core/route.js';
import { refuse } from '../workspace-places.js';
import { CommandRecord, type RecordedCommand } from './command-record.js';
import { endText, lostText } from './end-text.js';
import { type Launched, Launcher, type LauncherDeps } from './launcher.js';
import { type CommandEnd, endRun } from './running-command.js';

/** At once, of all sessions: more is nothing that a host is asked for by intent. */
const maxRunning = 20;
const maxEnded = 50;

export interface CommandServiceDeps extends Omit<LauncherDeps, 'settings' | 'outputs' | 'userHome'> {
  readonly settings: {
    readonly commands: CommandSettings;
    readonly paths: { readonly home: string; readonly cache: string };
  };
  readonly notices: NoticeService;
  readonly logger: Logger;
}

export interface HostCommands extends CommandService {
  /** Ends what an earlier life left running, and tells whose it was. */
  recover(): Promise<void>;
  /** Ends everything that runs. Its owners are told by the next life. */
  close(): Promise<void>;
}

interface Background extends Launched {
  readonly owner: CommandOwner;
  readonly recorded: RecordedCommand;
  end?: CommandEnd & { readonly at: number };
  readonly isOver: Promise<void>;
  /** Whoever ended it knows. */
  isSilent: boolean;
}

export const createCommandService = (deps: CommandServiceDeps): HostCommands => {
  const table = new BackgroundTable(deps);
  const { launcher } = table;
  return {
    folder: (session) => launcher.folder(session),
    run: (request, owner, options) => run(launcher, request, owner, { ...options, clock: deps.clock }),
    start: (request, owner) => table.start(request, owner),
    list: (session) => table.of(session).map(toShown),
    find: (session, id) => {
      const found = table.find(session, id);
      return found && toShown(found);
    },
    output: (session, id) => {
      const found = table.find(session, id);
      return found?.output.read(found.cut);
    },
    write: (session, id, text) => table.find(session, id)?.running.write(text) ?? false,
    wait: (session, id, options) => table.wait(session, id, options),
    kill: (session, id) => table.kill(session, id),
    recover: () => table.recover(),
    close: () => table.close(),
  };
};

const toShown = ({ recorded, end }: Background): BackgroundCommand => ({
  id: recorded.id,
  line: recorded.line,
  startedAt: recorded.startedAt,
  ...(end !== undefined && { end }),
});

const run = async (
  launcher: Launcher,
  request: CommandRequest,
  { session }: CommandOwner,
  { signal, clock }: { readonly signal: AbortSignal; readonly clock: LauncherDeps['clock'] },
): Promise<CommandResult> => {
  signal.throwIfAborted();
  const startedAt = clock.now();
  const scratch = request.script === undefined ? undefined : await mkdtemp(join(tmpdir(), 'hermes-run-'));
  try {
    const launched = await launchIn(launcher, request, session, scratch);
    const onAbort = (): void => launched.running.stop();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      const end = await launched.running.ended;
      signal.throwIfAborted();
      const folder = scratch === undefined ? launched.endFolder() : undefined;
      if (folder !== undefined) launcher.keepFolder(session, folder);
      return {
        ...end,
        output: launched.output.read(launched.cut),
        folder: launcher.folder(session),
        durationMs: clock.now() - startedAt,
      };
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  } finally {
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
  }
};

const launchIn = async (
  launcher: Launcher,
  request: CommandRequest,
  session: SessionId,
  scratch: string | undefined,
): Promise<Launched> => {
  const { script, run: given } = request;
  if (script === undefined || scratch === undefined || typeof given === 'string')
    return launcher.launch(request, { session, hasLimit: true });
  const path = join(scratch, script.fileName);
  await writeFile(path, script.text, { mode: 0o600 });
  return launcher.launch({ ...request, run: [...given, path] }, { session, scratch, hasLimit: true });
};

class BackgroundTable {
  readonly launcher: Launcher;
  readonly #deps: CommandServiceDeps;
  readonly #record: CommandRecord;
  #all: readonly Background[] = [];
  #isClosing = false;

  constructor(deps: CommandServiceDeps) {
    this.#deps = deps;
    const { commands: settings, paths } = deps.settings;
    const outputs = join(paths.cache, 'documents');
    this.launcher = new Launcher({ ...deps, settings, outputs, userHome: homedir() });
    this.#record = new CommandRecord(join(paths.home, 'processes.json'));
  }

  of(session: SessionId): readonly Background[] {
    return this.#all.filter(({ owner }) => owner.session === session).toReversed();
  }

  find(session: SessionId, id: string): Background | undefined {
    return this.of(session).find(({ recorded }) => recorded.id === id);
  }

  async start(request: CommandRequest, owner: CommandOwner): Promise<BackgroundCommand> {
    if (this.#running().length >= maxRunning)
      throw refuse(
        'failed',
        `${maxRunning} processes run already, so nothing was started. End one of them first.`,
      );
    const { clock } = this.#deps;
    const launched = this.launcher.launch(request, { session: owner.session, hasLimit: false });
    const { run: given } = request;
    const recorded: RecordedCommand = {
      id: `p-${launched.runId.slice(0, 8)}`,
      runId: launched.runId,
      line: typeof given === 'string' ? given : given.join(' '),
      startedAt: clock.now(),
      correlation: owner.correlation,
      route: toRoute(owner.caller.origin),
    };
    const { promise: isOver, resolve } = whenOver();
    const background: Background = { ...launched, owner, recorded, isOver, isSilent: false };
    this.#all = [...this.#all, background];
    this.#save();
    void this.#follow(background).finally(resolve);
    return toShown(background);
  }

  async wait(
    session: SessionId,
    id: string,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<void> {
    const background = this.find(session, id);
    if (background === undefined) return;
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const cancel = this.#deps.clock.after(timeoutMs, resolve);
      const onAbort = (): void => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      void background.isOver.finally(() => {
        cancel();
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
    });
  }

  async kill(session: SessionId, id: string): Promise<void> {
    const background = this.find(session, id);
    if (background === undefined || background.end !== undefined) return;
    background.isSilent = true;
    background.running.stop();
    await background.isOver;
  }

  async recover(): Promise<void> {
    const left = this.#record.load();
    for (const { runId } of left) endRun(runId);
    for (const recorded of left) await this.#tell(recorded, lostText(recorded));
    if (left.length > 0) this.#save();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const running = this.#running();
    for (const background of running) background.running.stop();
    await Promise.all(running.map(({ isOver }) => isOver));
  }

  #running(): readonly Background[] {
    return this.#all.filter(({ end }) => end === undefined);
  }

  async #follow(background: Background): Promise<void> {
    const { running, recorded, output, cut } = background;
    const ended = await running.ended.catch((error: unknown): CommandEnd => {
      output.add(Buffer.from(error instanceof Error ? error.message : String(error)));
      return { ending: 'killed' };
    });
    background.end = { ...ended, at: this.#deps.clock.now() };
    const over = this.#all.filter(({ end }) => end !== undefined);
    const forgotten = new Set(over.slice(0, Math.max(0, over.length - maxEnded)));
    this.#all = this.#all.filter((one) => !forgotten.has(one));
    // What a shutdown ends stays in the record: the next life tells of it.
    if (this.#isClosing) return;
    if (!background.isSilent)
      await this.#tell(recorded, endText(recorded, background.end, output.read(cut).text));
    this.#save();
  }

  async #tell(recorded: RecordedCommand, text: string): Promise<void> {
    const { route, correlation, id } = recorded;
    try {
      await this.#deps.notices.say({ route, correlation, text, key: `command-end/${id}` });
    } catch (error) {
      this.#deps.logger.error({ error, command: id }, 'end of a command could not be told');
    }
  }

  #save(): void {
    try {
      this.#record.save(this.#running().map(({ recorded }) => recorded));
    } catch (error) {
      this.#deps.logger.error({ error }, 'running commands could not be written down');
    }
  }
}

const whenOver = () => {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};
