/**
 * HTTP under the Bot API client, in place of the SDK's own, for the reasons in `kit/http-exchange.ts`, and because
 * connections can be given up: one that went bad would fail again and again if it stayed pooled.
 */
import type { Agent as HttpAgent, IncomingMessage } from 'node:http';
import type { Clock } from '../../core/clock.js';
import {
  exchange,
  newAgent,
  TransportError,
  type TransportRequest,
  takeWhole,
} from '../kit/http-exchange.js';

export interface TransportResponse {
  json(): Promise<unknown>;
}

export type Download =
  | { readonly ok: true; readonly bytes: AsyncIterable<Uint8Array> }
  | { readonly ok: false; readonly status: number; readonly description: string };

export interface DownloadOptions {
  /** Ends the wait for the first byte. */
  readonly begin: AbortSignal;
  /** Ends the whole download, also after it has begun. */
  readonly signal: AbortSignal;
}

export interface Transport {
  /** Resolves with a whole answer that is JSON of the Bot API's shape; rejects with a TransportError. */
  fetch(url: string, request: TransportRequest): Promise<TransportResponse>;
  /** Resolves with the bytes behind an address, or with the envelope of a refusal. */
  download(url: string, options: DownloadOptions): Promise<Download>;
  /** Later requests open new connections; requests under way are left alone. */
  renew(): void;
  /** Ends all connections, also busy ones. */
  close(): void;
}

/** A file whose bytes stop coming for this long will not come any more. */
const SILENCE_LIMIT_MS = 60_000;

/** A server that is out of order often answers with a page; its status is then the answer. */
const toEnvelope = (status: number, body: string): unknown => {
  try {
    const answer: unknown = JSON.parse(body);
    if (typeof answer === 'object' && answer !== null && 'ok' in answer) return answer;
  } catch {
    // Not JSON: told by the status, below.
  }
  // A proxy or a captive portal: what it says of the token or the chat is nothing that Telegram said. Only its word that
  // an upload is too large holds, whoever says so.
  if (status < 500 && status !== 413) {
    const isSent = status >= 200 && status < 300;
    throw new TransportError(`HTTP ${status}, and the answer is not from a Bot API server`, isSent);
  }
  return { ok: false, error_code: status, description: `HTTP ${status} without an answer of the Bot API` };
};

/** The bytes of a response; ends with a TransportError if they stop before the end, or with the signal's reason. */
async function* bytesOf(
  response: IncomingMessage,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const watch = new AbortController();
  let seen = 0;
  const watchForSilence = async (): Promise<void> => {
    for (let before = -1; before !== seen; ) {
      before = seen;
      await clock.sleep(SILENCE_LIMIT_MS, { signal: watch.signal });
    }
    response.destroy();
  };
  const onAbort = (): void => void response.destroy();
  signal.addEventListener('abort', onAbort, { once: true });
  // Rejects when the download is over, which is its usual end.
  watchForSilence().catch(() => undefined);
  try {
    signal.throwIfAborted();
    for await (const piece of response) {
      // No encoding is set, so the pieces are Buffers.
      const bytes = piece as Buffer;
      seen += bytes.length;
      yield bytes;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TransportError) throw error;
    throw new TransportError('the file was cut off', true);
  } finally {
    watch.abort();
    signal.removeEventListener('abort', onAbort);
    response.destroy();
  }
}

export const createTransport = ({ clock }: { readonly clock: Clock }): Transport => {
  const agents = new Map<boolean, HttpAgent>();
  const agentFor = (isSecure: boolean): HttpAgent => {
    const agent = agents.get(isSecure) ?? newAgent(isSecure);
    agents.set(isSecure, agent);
    return agent;
  };
  return {
    async fetch(url, request) {
      const isSecure = url.startsWith('https:');
      const agent = agentFor(isSecure);
      const { status, body } = await exchange({ url, request, clock, isSecure, agent, take: takeWhole });
      const answer = toEnvelope(status, body);
      return { json: async () => answer };
    },
    async download(url, { begin, signal }) {
      const isSecure = url.startsWith('https:');
      const request = { method: 'GET', headers: {}, body: '', signal: begin };
      return exchange<Download>({
        url,
        request,
        clock,
        isSecure,
        agent: agentFor(isSecure),
        take: async (response) => {
          const status = response.statusCode ?? 0;
          if (status === 200) return { ok: true, bytes: bytesOf(response, clock, signal) };
          response.resume();
          return { ok: false, status, description: `HTTP ${status} for the file` };
        },
      });
    },
    renew() {
      for (const agent of agents.values()) {
        for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
      }
      agents.clear();
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
};
