/** What is known of the groups: their names and members, asked once and again after a change. */
import type { Logger } from '../../core/logger.js';
import { remember } from '../kit/remember.js';
import type { GroupMetadata, WhatsAppSocket } from './client.js';
import type { Identities } from './identities.js';
import type { Jid } from './ids.js';

const MAX_GROUPS = 500;

export class Groups {
  readonly #known = new Map<Jid, Promise<GroupMetadata | undefined>>();
  readonly #titles = new Map<Jid, string>();
  readonly #ports: {
    readonly identities: Identities;
    readonly logger: Logger;
    socket(): WhatsAppSocket | undefined;
  };

  constructor(ports: {
    readonly identities: Identities;
    readonly logger: Logger;
    socket(): WhatsAppSocket | undefined;
  }) {
    this.#ports = ports;
  }

  forget(group: Jid): void {
    this.#known.delete(group);
  }

  title(group: Jid): string | undefined {
    return this.#titles.get(group);
  }

  async ephemeralSeconds(group: Jid): Promise<number | undefined> {
    const seconds = (await this.find(group))?.ephemeralDuration;
    return seconds === undefined || seconds === 0 ? undefined : seconds;
  }

  /** Undefined where WhatsApp does not say. Never rejects. */
  find(group: Jid): Promise<GroupMetadata | undefined> {
    const known = this.#known.get(group);
    if (known !== undefined) return known;
    const asked = this.#ask(group);
    remember(this.#known, group, asked, MAX_GROUPS);
    return asked;
  }

  async #ask(group: Jid): Promise<GroupMetadata | undefined> {
    const { identities, logger, socket } = this.#ports;
    try {
      const info = await socket()?.groupInfo(group);
      if (info === undefined) {
        this.#known.delete(group);
        return undefined;
      }
      remember(this.#titles, group, info.subject, MAX_GROUPS);
      for (const { id, lid, phoneNumber } of info.participants) {
        identities.learn(id, lid);
        identities.learn(id, phoneNumber);
      }
      return info;
    } catch (error) {
      this.#known.delete(group);
      logger.info(
        { group, reason: error instanceof Error ? error.message : 'unknown' },
        'a group does not say who it is',
      );
      return undefined;
    }
  }
}
