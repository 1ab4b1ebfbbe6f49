import type { PlatformAdapter } from '../../core/platform.js';
import type { AdapterPorts } from '../../core/platform-definition.js';
import type { WebSection } from './config.js';
import { annotate, encode, support } from './encode.js';
import { createHttpApp } from './http-app.js';
import { Hub } from './hub.js';
import { account, parseSession, platformId } from './ids.js';
import { type Listener, listen } from './listen.js';
import { Door, receive } from './receive.js';
import { send } from './send.js';

/** The page and its API: a platform, and the same app on the unix socket. */
export interface WebFace {
  /** Listens for browsers while its `run` lasts. */
  readonly adapter: PlatformAdapter;
  /** Where browsers find the page, e.g. `http://127.0.0.1:8642/`; undefined while they cannot. */
  url(): string | undefined;
  /**
   * Serves the app on a unix socket (mode 0600, no login), whether the platform runs or not. A file that a crash left
   * there is replaced. Rejects with a PlatformError that says what to do.
   */
  listenOnSocket(path: string): Promise<Listener>;
}

/** `boot` names this life of the daemon; random if absent. */
export const buildFace = (section: WebSection, ports: AdapterPorts, boot?: string): WebFace => {
  const { clock, logger, pageLog } = ports;
  const hub = new Hub({ pageLog, ...(boot !== undefined && { boot }) });
  const door = new Door();
  const app = createHttpApp({ section, ports, hub, deliver: (event) => door.deliver(event) });
  const name = section.host.includes(':') ? `[${section.host}]` : section.host;
  let url: string | undefined;

  const onPort = (port: number | undefined): void => {
    url = port === undefined ? undefined : `http://${name}:${port}/`;
    if (url !== undefined) logger.info({ url }, 'web page listening');
  };

  const adapter: PlatformAdapter = {
    platform: platformId,
    account,
    idempotentSend: true,
    support: () => support,
    encode,
    annotate,
    run: (sink, options) =>
      receive({ ports, door, onPort, listen: () => listen(app, section, { clock }) }, sink, options),
    send: (request, { signal }) => send(request, { hub, clock, media: ports.media, signal }),
    approvals: {
      publish: ({ chat }, event) => {
        if (parseSession(chat) !== undefined) hub.feed(chat).publish(event);
      },
    },
    progress: {
      publish: ({ chat }, event) => {
        if (parseSession(chat) !== undefined) hub.feed(chat).publish(event);
      },
    },
  };
  return {
    adapter,
    url: () => url,
    listenOnSocket: (path) => listen(app, { socketPath: path }, { clock }),
  };
};
