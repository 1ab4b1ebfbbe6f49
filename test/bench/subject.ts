/** The two programs that are compared, each started afresh for a round with a world of its own on the far side. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDiscordControl, type DiscordControl } from '../emulators/discord/control.js';
import { createOpenAiControl, type OpenAiControl } from '../emulators/openai/control.js';
import { createTelegramControl, type TelegramControl } from '../emulators/telegram/control.js';

export interface FarSide {
  readonly telegramUrl: string;
  readonly discordUrl: string;
  readonly openaiUrl: string;
}

/** One program's view of the far side. */
export interface World {
  readonly telegram: TelegramControl;
  readonly discord: DiscordControl;
  readonly openai: OpenAiControl;
}

/** Knows how to start a program against a world; `folder` is its own, empty at first. */
export interface Subject {
  readonly name: string;
  command(world: World, folder: string): Command | Promise<Command>;
}

export interface Command {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface RunningSubject {
  readonly world: World;
  readonly pid: number;
  /** Epoch ms with fractions, just before the process was made. */
  readonly spawnedAt: number;
  /** Ends the process, politely first, and takes its folder away. */
  stop(): Promise<void>;
}

export function bareSubject(name: string, script: string): Subject {
  return {
    name,
    command: ({ telegram, discord, openai }) => ({
      args: [script],
      env: {
        TELEGRAM_BOT_TOKEN: telegram.token,
        TELEGRAM_API_ROOT: telegram.apiRoot,
        DISCORD_BOT_TOKEN: discord.token,
        DISCORD_API_ROOT: discord.apiRoot,
        OPENAI_BASE_URL: openai.baseUrl,
        OPENAI_API_KEY: openai.key,
      },
    }),
  };
}

export interface GatewayOptions {
  /** That section of the settings. */
  readonly agent?: object;
  /** Those that are on, besides the web page. Default: Telegram. */
  readonly platforms?: readonly ('telegram' | 'discord')[];
  /** Further sections, by name. */
  readonly sections?: Readonly<Record<string, object>>;
}

/** Everything as it is by default, the web page included, but for streaming: the floor does not stream either. */
export function gatewaySubject(
  name: string,
  distMain: string,
  { agent = {}, platforms = ['telegram'], sections: more = {} }: GatewayOptions = {},
): Subject {
  return {
    name,
    command: ({ openai, ...far }, folder) => {
      const sections = platforms.map((platform) => {
        const { token, apiRoot } = far[platform];
        return [platform, { token, api_root: apiRoot, streaming: false }] as const;
      });
      const settings = {
        model: {
          provider: 'openai',
          default: 'emulated-small',
          base_url: openai.baseUrl,
          api_key: openai.key,
        },
        allowed_users: ['*'],
        agent,
        platforms: { ...Object.fromEntries(sections), web: { port: 0 } },
        ...more,
      };
      // JSON is YAML.
      writeFileSync(join(folder, 'config.yaml'), JSON.stringify(settings, null, 2), { mode: 0o600 });
      return { args: [distMain, 'gateway'], env: { HERMES_HOME: folder } };
    },
  };
}

let startCount = 0;

/** As Discord makes them: the bot's id comes first. */
const discordToken = (number: number): string =>
  `${Buffer.from(String(900_000_000_001_000_000n + BigInt(number))).toString('base64url')}.BENCH1.0123456789abcdef`;

export async function startSubject(subject: Subject, far: FarSide): Promise<RunningSubject> {
  startCount += 1;
  const world: World = {
    telegram: createTelegramControl(far.telegramUrl, `${200_000 + startCount}:bench-0123456789abcdefghij`),
    discord: createDiscordControl(far.discordUrl, discordToken(startCount)),
    openai: createOpenAiControl(far.openaiUrl, `sk-bench-${startCount}`),
  };
  await Promise.all([world.telegram.reset(), world.discord.reset(), world.openai.reset()]);
  const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-'));
  const { args, env } = await subject.command(world, folder);
  // Into a file, as a service manager would; reading a pipe would cost this process time.
  const log = join(folder, 'output.log');
  const output = openSync(log, 'a');
  const spawnedAt = performance.timeOrigin + performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env },
    stdio: ['ignore', output, output],
  });
  const gone = once(child, 'exit');
  child.once('exit', (code, signal) => {
    if (code !== 0 && signal !== 'SIGTERM') {
      process.stderr.write(`${subject.name} ended with ${code ?? signal}:\n${tail(log)}\n`);
    }
  });
  return {
    world,
    pid: child.pid ?? -1,
    spawnedAt,
    stop: async () => {
      child.kill('SIGTERM');
      const patience = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await gone;
      clearTimeout(patience);
      rmSync(folder, { recursive: true, force: true });
      await Promise.all([world.telegram.remove(), world.discord.remove(), world.openai.forget()]);
    },
  };
}

function tail(path: string): string {
  return readFileSync(path, 'utf8').split('\n').slice(-12).join('\n');
}
