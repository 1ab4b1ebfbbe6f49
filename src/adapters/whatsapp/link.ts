/**
 * Linking the gateway to an account. The new device is made in a folder of its own and takes the old one's place only
 * once the phone has taken it: an attempt that fails costs nothing.
 */
import type { Clock } from '../../core/clock.js';
import type { LinkingFacet, LinkRequest, LinkState } from '../../core/linking.js';
import type { Logger } from '../../core/logger.js';
import { type Creds, codec, freshCreds, openSocket, type WhatsAppSocket } from './client.js';
import type { Connection } from './connection.js';
import { nameOfJid, toPlainJid } from './ids.js';
import { SessionFiles } from './session-files.js';

/** Each shows codes for about three minutes. */
const MAX_ATTEMPTS = 2;
const WORK_MS = 60_000;

export interface LinkingPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly files: SessionFiles<Creds>;
  readonly connection: Connection;
  readonly socketUrl: string;
  readonly trustRoot: string | undefined;
}

const scanAdvice = 'Open WhatsApp on the phone, Settings, Linked devices, Link a device, and scan the code.';
const typeAdvice =
  'Open WhatsApp on the phone, Settings, Linked devices, Link a device, “Link with phone number instead”, and type the code.';

export class Linking implements LinkingFacet {
  readonly #ports: LinkingPorts;
  #state: LinkState = { state: 'idle', message: 'Nothing is being linked.' };

  constructor(ports: LinkingPorts) {
    this.#ports = ports;
  }

  state(): LinkState {
    return this.#state;
  }

  begin(request: LinkRequest): LinkState {
    if (this.#state.state === 'waiting') return this.#state;
    this.#state = { state: 'waiting', message: 'Connecting to WhatsApp …' };
    this.#run(request).catch((error: unknown) => {
      this.#ports.logger.error({ error }, 'linking failed');
      this.#fail(`Linking failed: ${error instanceof Error ? error.message : 'see the log'}.`);
    });
    return this.#state;
  }

  #fail(message: string): void {
    this.#state = { state: 'failed', message };
  }

  async #run(request: LinkRequest): Promise<void> {
    const { files } = this.#ports;
    const session = await files.load();
    if (session.kind === 'linked' && !request.isAgain) {
      const jid = toPlainJid(session.creds.me?.id);
      const whom = jid === undefined ? 'an account' : nameOfJid(jid);
      this.#state = { state: 'linked', message: `Linked to ${whom} already. To link anew: --again.` };
      return;
    }
    const { logger } = this.#ports;
    const fresh = new SessionFiles(`${files.folder}.new`, codec, logger);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await fresh.discard();
      const { isLinked, reason } = await this.#attempt(fresh, request);
      if (isLinked) return this.#takeOver(fresh);
      logger.info({ reason, attempt }, 'no phone has taken this device yet');
    }
    await fresh.discard();
    const { qr, code } = this.#state;
    const wasShown = qr !== undefined || code !== undefined;
    this.#fail(
      wasShown
        ? 'No phone has taken the code in time. Begin again.'
        : 'WhatsApp cannot be reached, so there is no code to show. Look at the network of this host, and begin again.',
    );
  }

  async #attempt(
    fresh: SessionFiles<Creds>,
    { phone }: LinkRequest,
  ): Promise<{ readonly isLinked: boolean; readonly reason: string }> {
    const { logger, socketUrl, trustRoot } = this.#ports;
    let isLinked = false;
    let isAsked = false;
    const socket: WhatsAppSocket = openSocket({
      socketUrl,
      trustRoot,
      creds: freshCreds(),
      files: fresh,
      logger,
      sent: async () => undefined,
      group: async () => undefined,
      listener: {
        open: () => undefined,
        messages: () => undefined,
        groupChanged: () => undefined,
        linked: () => {
          isLinked = true;
          this.#state = { state: 'waiting', message: 'The phone has taken the code. Logging in …' };
        },
        qr: (qr) => {
          if (phone === undefined) this.#state = { state: 'waiting', qr, message: scanAdvice };
          else if (!isAsked) void this.#askForCode(socket, phone);
          isAsked = true;
        },
      },
    });
    const { code, reason } = await socket.closed;
    return { isLinked, reason: `${reason} (${code})` };
  }

  async #askForCode(socket: WhatsAppSocket, phone: string): Promise<void> {
    try {
      const code = await socket.requestPairingCode(phone);
      this.#state = { state: 'waiting', code, message: typeAdvice };
    } catch (error) {
      this.#ports.logger.warn({ error }, 'no pairing code was given');
      socket.end();
    }
  }

  /** The first login with the new credentials belongs to linking. */
  async #takeOver(fresh: SessionFiles<Creds>): Promise<void> {
    const { files, connection, clock } = this.#ports;
    await connection.renew(() => fresh.moveTo(files.folder, `replaced-${clock.now()}`));
    const limit = new AbortController();
    const cancel = clock.after(WORK_MS, () => limit.abort(new Error('WhatsApp does not let it log in')));
    try {
      const me = await connection.using(limit.signal, async (socket) => socket.me);
      const jid = toPlainJid(me?.id);
      this.#state = {
        state: 'linked',
        message: `Linked to ${jid === undefined ? 'the account' : nameOfJid(jid)}.`,
      };
    } finally {
      cancel();
    }
  }
}
