/**
 * Which channel a route means, with what has to be made first: a thread at the message that asked, a post in a forum,
 * a private channel with a person. Made when something is sent and not before, so that a message that is never answered
 * leaves nothing behind, and a kill between the two costs nothing.
 */
import type { Logger } from '../../core/logger.js';
import type { Route } from '../../core/route.js';
import { fieldsOf } from '../kit/fields.js';
import { remember } from '../kit/remember.js';
import type { CallResult, DiscordClient } from './client.js';
import { CODE, isRefusedWith } from './errors.js';
import { isSnowflake } from './ids.js';
import type { Places } from './places.js';

interface ChannelPorts {
  readonly client: DiscordClient;
  readonly places: Places;
  readonly logger: Logger;
}

/** Minutes of silence until Discord folds a thread away. */
const ARCHIVE_AFTER_MINUTES = 1_440;
const MAX_NAME_LENGTH = 100;
const MAX_REMEMBERED = 2_000;

/** The first line of what is said, as the name of a thread or a post. */
const threadNameOf = (text: string): string => {
  const line =
    text
      .split('\n')
      .find((candidate) => candidate.trim() !== '')
      ?.trim() ?? 'Answer';
  const characters = [...line];
  return characters.length <= MAX_NAME_LENGTH
    ? line
    : `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
};

export class Channels {
  readonly #ports: ChannelPorts;
  /** Routes that mean another channel than they name: people's private channels, threads that could not be opened. */
  readonly #meant = new Map<string, string>();

  constructor(ports: ChannelPorts) {
    this.#ports = ports;
  }

  /** Without I/O: where a message goes unless Discord says otherwise. */
  of({ chat, thread }: Route): string {
    const id = thread ?? chat;
    return this.#meant.get(id) ?? id;
  }

  isForum({ chat, thread }: Route): boolean {
    return thread === undefined && this.#ports.places.isForum(this.#meant.get(chat) ?? chat);
  }

  /**
   * After "unknown channel": opens the thread that the route names, or takes the id for a person's. Gives the channel to
   * try, or undefined if there is none.
   */
  async open(route: Route, said: string, signal: AbortSignal): Promise<string | undefined> {
    return route.thread === undefined
      ? this.openPrivate(route.chat, signal)
      : this.#openThread(route.chat, route.thread, said, signal);
  }

  /** A post in a forum, which is a thread with a first message. */
  post(
    chat: string,
    body: Readonly<Record<string, unknown>>,
    said: string,
    signal: AbortSignal,
  ): Promise<CallResult> {
    return this.#ports.client.call(
      {
        verb: 'POST',
        path: `/channels/${chat}/threads`,
        body: { name: threadNameOf(said), auto_archive_duration: ARCHIVE_AFTER_MINUTES, message: body },
      },
      { signal },
    );
  }

  /** The private channel with a person, which is made if it is new; they see nothing of that. */
  async openPrivate(user: string, signal: AbortSignal): Promise<string | undefined> {
    const result = await this.#ports.client.call(
      { verb: 'POST', path: '/users/@me/channels', body: { recipient_id: user } },
      { signal },
    );
    return result.ok ? this.#remember(user, fieldsOf(result.value)?.['id']) : undefined;
  }

  async #openThread(
    channel: string,
    thread: string,
    said: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { client, logger, places } = this.#ports;
    const result = await client.call(
      {
        verb: 'POST',
        path: `/channels/${channel}/messages/${thread}/threads`,
        body: { name: threadNameOf(said), auto_archive_duration: ARCHIVE_AFTER_MINUTES },
      },
      { signal },
    );
    if (result.ok) {
      places.learnChannel(fieldsOf(result.value) ?? {});
      return thread;
    }
    if (isRefusedWith(result.failure, CODE.threadExists)) return thread;
    // A thread is a courtesy; the answer is not.
    logger.info({ failure: result.failure }, 'no thread could be opened, answering in the channel');
    return this.#remember(thread, channel);
  }

  #remember(id: string, channel: unknown): string | undefined {
    if (!isSnowflake(channel)) return undefined;
    remember(this.#meant, id, channel, MAX_REMEMBERED);
    return channel;
  }
}
