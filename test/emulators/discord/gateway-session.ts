/** One gateway session: what was dispatched to it, kept so that a resume can replay it. */
import type { WebSocket } from 'ws';

export interface Dispatched {
  readonly seq: number;
  readonly t: string;
  readonly d: unknown;
}

const KEPT = 10_000;

export class GatewaySession {
  readonly id: string;
  readonly intents: number;
  #socket: WebSocket | undefined;
  #seq = 0;
  readonly #kept: Dispatched[] = [];
  /** The next resume is refused with op 9; the value is its `d`. */
  invalid: boolean | undefined;
  /** Sequence numbers that a resume replays twice. */
  twice: ReadonlySet<number> = new Set();

  constructor(id: string, intents: number) {
    this.id = id;
    this.intents = intents;
  }

  get seq(): number {
    return this.#seq;
  }

  get isConnected(): boolean {
    return this.#socket !== undefined;
  }

  get socket(): WebSocket | undefined {
    return this.#socket;
  }

  attach(socket: WebSocket): void {
    this.#socket = socket;
  }

  detach(socket: WebSocket): void {
    if (this.#socket === socket) this.#socket = undefined;
  }

  dispatch(t: string, d: unknown): void {
    this.#seq += 1;
    const event = { seq: this.#seq, t, d };
    this.#kept.push(event);
    if (this.#kept.length > KEPT) this.#kept.shift();
    this.#send(event);
  }

  replayAfter(seq: number): void {
    for (const event of this.#kept.filter((it) => it.seq > seq)) {
      this.#send(event);
      if (this.twice.has(event.seq)) this.#send(event);
    }
  }

  /** Sends something that is not a dispatch. */
  signal(op: number, d: unknown = null): void {
    this.#socket?.send(JSON.stringify({ op, d }));
  }

  #send({ seq, t, d }: Dispatched): void {
    this.#socket?.send(JSON.stringify({ op: 0, s: seq, t, d }));
  }
}
