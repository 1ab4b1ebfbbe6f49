/** A session's event stream over the control socket, taken up where it broke off. */
import { request } from 'node:http';

export interface FeedEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface FeedOptions {
  readonly socket: string;
  /** Of the events. */
  readonly path: string;
  /** What is known already. */
  readonly lastEventId: string;
  readonly signal: AbortSignal;
  /** In milliseconds. May reject with the signal's reason. */
  readonly pause: (ms: number) => Promise<void>;
  readonly onEvent: (event: FeedEvent) => void;
  /** The connection broke, or is back. */
  readonly onConnection: (state: 'lost' | 'back') => void;
}

const RETRY_MS = 1_000;

const parseData = (text: string): FeedEvent['data'] | undefined => {
  try {
    const data: unknown = JSON.parse(text);
    // Made by the same version's gateway, behind a socket that only its own user can open.
    return typeof data === 'object' && data !== null ? (data as FeedEvent['data']) : undefined;
  } catch {
    return undefined;
  }
};

/** Cuts a text into frames; what is left waits for more. Pure but for what it holds. */
export class FrameReader {
  #rest = '';
  lastId: string;

  constructor(lastId: string) {
    this.lastId = lastId;
  }

  read(text: string): readonly FeedEvent[] {
    const frames = (this.#rest + text).split('\n\n');
    this.#rest = frames.pop() ?? '';
    return frames.flatMap((frame) => {
      const fields = new Map(
        frame.split('\n').map((line) => {
          const colon = line.indexOf(': ');
          return [line.slice(0, colon), line.slice(colon + 2)] as const;
        }),
      );
      this.lastId = fields.get('id') ?? this.lastId;
      const [event, data] = [fields.get('event'), parseData(fields.get('data') ?? '')];
      return event === undefined || data === undefined ? [] : [{ event, data }];
    });
  }

  /** A new connection begins with a whole frame. */
  reset(): void {
    this.#rest = '';
  }
}

/** Resolves when the connection is over, for whatever reason. */
const connectOnce = (
  reader: FrameReader,
  { socket, path, signal, onEvent }: FeedOptions,
  onOpen: () => void,
): Promise<void> =>
  new Promise((resolve) => {
    const call = request({
      socketPath: socket,
      path,
      signal,
      headers: { accept: 'text/event-stream', 'last-event-id': reader.lastId },
    });
    call.on('error', () => resolve());
    call.on('response', (response) => {
      reader.reset();
      response.setEncoding('utf8');
      if (response.statusCode === 200) onOpen();
      response.on('data', (text: string) => {
        for (const event of reader.read(text)) onEvent(event);
      });
      response.on('error', () => resolve());
      response.on('close', () => resolve());
    });
    call.end();
  });

/** Follows until the signal aborts. Never rejects. */
export const followEvents = async (options: FeedOptions): Promise<void> => {
  const reader = new FrameReader(options.lastEventId);
  let isLost = false;
  while (!options.signal.aborted) {
    await connectOnce(reader, options, () => {
      if (isLost) options.onConnection('back');
      isLost = false;
    });
    if (options.signal.aborted) return;
    if (!isLost) options.onConnection('lost');
    isLost = true;
    await options.pause(RETRY_MS).catch(() => {});
  }
};
