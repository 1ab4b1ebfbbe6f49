/**
 * What the gateway connection tells about servers, channels, threads, roles and people: names for what messages refer
 * to by id. Learned from dispatches, never asked for. Nothing here throws, whatever the payload is.
 */
import { type Fields, fieldsOf, integerOf, listOf, nameOf } from '../kit/fields.js';
import { remember } from '../kit/remember.js';
import { isSnowflake } from './ids.js';

export interface Place {
  readonly id: string;
  /** Undefined in private chats. */
  readonly guild: string | undefined;
  readonly name: string | undefined;
  readonly type: number;
  /** Of a thread: the channel it belongs to. */
  readonly parent: string | undefined;
  readonly owner: string | undefined;
  readonly lastMessage: string | undefined;
}

const THREADS: ReadonlySet<number> = new Set([10, 11, 12]);
const FORUMS: ReadonlySet<number> = new Set([15, 16]);
/** People are remembered by name only as far as messages need it. */
const MAX_PEOPLE = 5_000;

export class Places {
  /** The bot's own user id, once the connection has told it. */
  self: string | undefined;
  readonly #places = new Map<string, Place>();
  readonly #roles = new Map<string, string>();
  readonly #people = new Map<string, string>();
  /** Servers that READY named, until each is told whole. */
  #untold = new Set<string>();
  #onAllTold: () => void = () => undefined;

  /** Resolves once every server that READY named has been told with its channels. */
  async allTold(): Promise<void> {
    if (this.#untold.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onAllTold = resolve;
    });
  }

  find(id: string): Place | undefined {
    return this.#places.get(id);
  }

  /** True for a thread, a forum post included. */
  isThread(id: string): boolean {
    return THREADS.has(this.#places.get(id)?.type ?? -1);
  }

  isForum(id: string): boolean {
    return FORUMS.has(this.#places.get(id)?.type ?? -1);
  }

  all(): readonly Place[] {
    return [...this.#places.values()];
  }

  roleName(id: string): string | undefined {
    return this.#roles.get(id);
  }

  personName(id: string): string | undefined {
    return this.#people.get(id);
  }

  /** The id of the one person known by this name, in any letter case; undefined if there is none or more than one. */
  personNamed(name: string): string | undefined {
    const wanted = name.toLowerCase();
    const found = [...this.#people].filter(([, known]) => known.toLowerCase() === wanted);
    return found.length === 1 ? found[0]?.[0] : undefined;
  }

  /** Anything that names places, roles or people; other dispatches are ignored. */
  learn(type: string, data: unknown): void {
    const fields = fieldsOf(data);
    if (fields === undefined) return;
    switch (type) {
      case 'READY':
        this.self = snowflakeOf(fieldsOf(fields['user'])?.['id']) ?? this.self;
        this.#untold = new Set(
          listOf(fields['guilds'])
            .map((guild) => fieldsOf(guild)?.['id'])
            .filter(isSnowflake),
        );
        break;
      case 'GUILD_CREATE':
        this.#learnGuild(fields);
        this.#told(fields['id']);
        break;
      case 'GUILD_DELETE':
        this.#told(fields['id']);
        break;
      case 'CHANNEL_CREATE':
      case 'CHANNEL_UPDATE':
      case 'THREAD_CREATE':
      case 'THREAD_UPDATE':
        this.learnChannel(fields);
        break;
      case 'THREAD_LIST_SYNC':
        for (const thread of listOf(fields['threads'])) this.learnChannel(fieldsOf(thread) ?? {});
        break;
      case 'CHANNEL_DELETE':
      case 'THREAD_DELETE':
        this.#places.delete(String(fields['id']));
        break;
      case 'GUILD_ROLE_CREATE':
      case 'GUILD_ROLE_UPDATE':
        this.#learnRole(fieldsOf(fields['role']));
        break;
      case 'MESSAGE_CREATE':
        this.#learnPeople(fields);
        break;
      default:
        break;
    }
  }

  learnChannel(channel: Fields, guild?: string): void {
    const { id } = channel;
    const type = integerOf(channel['type']);
    if (!isSnowflake(id) || type === undefined) return;
    const known = this.#places.get(id);
    this.#places.set(id, {
      id,
      type,
      guild: snowflakeOf(channel['guild_id']) ?? guild ?? known?.guild,
      name: nameOf(channel['name']) ?? known?.name,
      parent: snowflakeOf(channel['parent_id']) ?? known?.parent,
      owner: snowflakeOf(channel['owner_id']) ?? known?.owner,
      lastMessage: snowflakeOf(channel['last_message_id']) ?? known?.lastMessage,
    });
  }

  #learnGuild(guild: Fields): void {
    const id = snowflakeOf(guild['id']);
    for (const role of listOf(guild['roles'])) this.#learnRole(fieldsOf(role));
    for (const channel of [...listOf(guild['channels']), ...listOf(guild['threads'])])
      this.learnChannel(fieldsOf(channel) ?? {}, id);
  }

  #told(guild: unknown): void {
    if (this.#untold.delete(String(guild)) && this.#untold.size === 0) this.#onAllTold();
  }

  #learnRole(role: Fields | undefined): void {
    const name = nameOf(role?.['name']);
    const id = role?.['id'];
    if (isSnowflake(id) && name !== undefined) this.#roles.set(id, name);
  }

  #learnPeople(message: Fields): void {
    const member = fieldsOf(message['member']);
    this.#learnPerson(fieldsOf(message['author']), nameOf(member?.['nick']));
    for (const person of listOf(message['mentions'])) {
      const fields = fieldsOf(person);
      this.#learnPerson(fields, nameOf(fieldsOf(fields?.['member'])?.['nick']));
    }
  }

  #learnPerson(person: Fields | undefined, nick: string | undefined): void {
    const id = person?.['id'];
    const name = nick ?? nameOf(person?.['global_name']) ?? nameOf(person?.['username']);
    if (!isSnowflake(id) || name === undefined) return;
    // Whoever wrote last is forgotten last.
    remember(this.#people, id, name, MAX_PEOPLE);
  }
}

const snowflakeOf = (value: unknown): string | undefined => (isSnowflake(value) ? value : undefined);
