/**
 * People write to the gateway in many chats, and again and again it is killed. In the end everything is looked at as a
 * person sees it: each letter answered in its own chat, once, or again only with the mark; no effect twice.
 */
import { once } from 'node:events';
import { createOpenAiControl } from '../emulators/openai/control.js';
import { createHome, type Daemon, type Exit, type Home, loggedErrors, startDaemon } from './daemon.js';
import { sideOf } from './letters.js';
import { armMoment, disarm, type FarSide } from './moments.js';
import { People } from './people.js';
import { type Cycle, drawPlan, type Moment } from './plan.js';
import { bothOf, createSides, type SideAddresses } from './sides/sides.js';
import { countNotices, findBreaches } from './verdict.js';

export interface CrashOptions extends SideAddresses {
  readonly seed: number;
  readonly kills: number;
  /** Default 20. */
  readonly chats?: number;
  readonly isStreaming: boolean;
  readonly distMain: string;
  /** Of an emulator, which like the platforms' may serve others beside. */
  readonly openaiUrl: string;
  /** Told of every kill, for a person who watches. */
  readonly onKill?: (line: string) => void;
  /** The home is left where it is if something is wrong. */
  readonly keepHome?: boolean;
}

export interface CrashReport {
  readonly letters: number;
  /** What was promised and not kept. */
  readonly problems: readonly string[];
  /** What else the chats were told, and how often. */
  readonly notices: ReadonlyMap<string, number>;
}

const DEFAULT_CHATS = 20;
const STOP_TIMEOUT_MS = 15_000;

let runCount = 0;

export async function runCrashes(options: CrashOptions): Promise<CrashReport> {
  runCount += 1;
  const name = `${process.pid}-${runCount}`;
  const far: FarSide = {
    sides: createSides(options, process.pid * 100 + runCount, options.chats ?? DEFAULT_CHATS),
    openai: createOpenAiControl(options.openaiUrl, `sk-crash-${name}`),
  };
  await Promise.all([...bothOf(far.sides).map((side) => side.reset()), far.openai.reset()]);
  const home = createHome({
    platforms: {
      telegram: far.sides.telegram.settings(options.isStreaming),
      discord: far.sides.discord.settings(options.isStreaming),
    },
    openaiBaseUrl: far.openai.baseUrl,
    openaiKey: far.openai.key,
  });
  const run = new CrashRun(options, far, home);
  try {
    await run.play();
    await run.end();
    return await run.judge();
  } finally {
    await run.end();
    await Promise.all([...bothOf(far.sides).map((side) => side.remove()), far.openai.forget()]);
    if (options.keepHome !== true || run.problems.length === 0) home.remove();
  }
}

class CrashRun {
  readonly problems: string[] = [];
  readonly #options: CrashOptions;
  readonly #far: FarSide;
  readonly #home: Home;
  readonly #people: People;
  #daemon: Daemon | undefined;

  constructor(options: CrashOptions, far: FarSide, home: Home) {
    this.#options = options;
    this.#far = far;
    this.#home = home;
    this.#people = new People(far, home.picture);
  }

  /** What goes wrong on the way is a problem like any other. */
  async play(): Promise<void> {
    try {
      await this.#play();
    } catch (error) {
      this.problems.push(error instanceof Error ? error.message : String(error));
    }
  }

  async #play(): Promise<void> {
    const { seed, kills, chats = DEFAULT_CHATS, isStreaming } = this.#options;
    const { opening, cycles, closing } = drawPlan({ seed, kills, chats, isStreaming });
    await this.#people.prepare();
    await this.#startConnected();
    await this.#people.write(opening, -1);
    await this.#untilAnswered(-1);
    await this.#stop('the first life');
    for (const [index, cycle] of cycles.entries()) await this.#playCycle(cycle, index);
    this.#start();
    await this.#untilAnswered(cycles.length);
    await this.#people.write(closing, cycles.length);
    await this.#untilAnswered(cycles.length);
    await this.#stop('the last life');
    await this.#startAgain();
  }

  async judge(): Promise<CrashReport> {
    const { sides, openai } = this.#far;
    const botTexts = new Map<number, readonly string[]>();
    for (let chat = 0; chat < (this.#options.chats ?? DEFAULT_CHATS); chat += 1) {
      botTexts.set(chat, await sides[sideOf(chat)].botTexts(chat));
    }
    const { letters } = this.#people;
    const requests = await openai.requests();
    this.problems.push(...findBreaches({ letters, botTexts, requests }));
    for (const { answer } of requests.filter((request) => request.answer.error !== undefined)) {
      this.problems.push(`the model refused a request: ${answer.error?.message}`);
    }
    return { letters: letters.length, problems: this.problems, notices: countNotices(botTexts) };
  }

  /** Kills what still runs. */
  async end(): Promise<void> {
    this.#daemon?.kill('SIGKILL');
    await this.#daemon?.exited;
  }

  async #playCycle({ away, live, moment, settledIndex }: Cycle, index: number): Promise<void> {
    await this.#people.write(away, index);
    const arm = () => armMoment(moment, this.#far);
    if (moment.type === 'start') {
      const armed = await arm();
      const daemon = this.#start();
      await this.#killAt(moment, armed.reached(), daemon, index);
      return;
    }
    const daemon = this.#start();
    await this.#untilAnswered(settledIndex);
    const armed = await arm();
    // The moment may come while people still write.
    const writing = this.#people.write(live, index);
    await this.#killAt(
      moment,
      moment.type === 'confirmed' ? writing.then(armed.reached) : armed.reached(),
      daemon,
      index,
    );
    await writing;
    await disarm(this.#far);
  }

  async #killAt(moment: Moment, reached: Promise<void>, daemon: Daemon, index: number): Promise<void> {
    const where = `kill ${index + 1} (${describe(moment)})`;
    const died = daemon.exited.then(({ code, signal }) => {
      throw new Error(
        `the gateway ended by itself with ${code ?? signal}: ${daemon.lines.slice(-5).join(' / ')}`,
      );
    });
    try {
      await Promise.race([reached, died]);
    } catch (error) {
      this.problems.push(`${where}: ${error instanceof Error ? error.message : String(error)}`);
    }
    died.catch(() => undefined);
    reached.catch(() => undefined);
    if (moment.type === 'stop') daemon.kill('SIGTERM');
    if ('delayMs' in moment) await once(AbortSignal.timeout(moment.delayMs), 'abort');
    daemon.kill('SIGKILL');
    await this.#buried(daemon, where);
    this.#options.onKill?.(where);
  }

  #start(): Daemon {
    const daemon = startDaemon(this.#options.distMain, this.#home);
    this.#daemon = daemon;
    return daemon;
  }

  async #startConnected(): Promise<void> {
    const sides = bothOf(this.#far.sides);
    const connected = await Promise.all(sides.map((side) => side.afterConnection()));
    this.#start();
    await Promise.all(connected.map((isReached) => isReached()));
  }

  async #buried(daemon: Daemon, where: string): Promise<Exit> {
    const exit = await daemon.exited;
    for (const line of loggedErrors(this.#home, daemon)) this.problems.push(`${where}: logged ${line}`);
    return exit;
  }

  async #untilAnswered(cycle: number): Promise<void> {
    try {
      await this.#people.untilAnswered(cycle);
    } catch (error) {
      const lines = this.#daemon?.lines.slice(-20).join('\n');
      throw new Error(`no answer after kill ${cycle + 1}; the gateway said:\n${lines}`, { cause: error });
    }
  }

  async #stop(where: string): Promise<void> {
    const daemon = this.#daemon;
    if (daemon === undefined) return;
    daemon.kill('SIGTERM');
    const late = AbortSignal.timeout(STOP_TIMEOUT_MS);
    late.addEventListener('abort', () => daemon.kill('SIGKILL'), { once: true });
    const { code, signal } = await this.#buried(daemon, where);
    if (code !== 0) this.problems.push(`${where} ended with ${code ?? signal} when it was told to stop`);
  }

  /** After a clean stop nothing is left to be done. */
  async #startAgain(): Promise<void> {
    const both = bothOf(this.#far.sides);
    const countSends = async (): Promise<number> =>
      (await Promise.all(both.map((side) => side.countSends()))).reduce((sum, count) => sum + count, 0);
    const before = await countSends();
    await this.#startConnected();
    await this.#stop('the life after it');
    const sent = (await countSends()) - before;
    if (sent > 0) this.problems.push(`a start after a clean stop sent ${sent} messages`);
  }
}

function describe({ type, ...rest }: Moment): string {
  return `${type} ${Object.values(rest)
    .map((value) => (typeof value === 'object' ? value.token : String(value)))
    .join(' ')}`;
}
