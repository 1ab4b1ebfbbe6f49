import { never, ProviderError } from '../../../core/errors.js';

/** What is seen of an answer's bytes on their way to the client. */
export interface ByteObserver {
  onHeaders(): void;
  onBytes(bytes: Uint8Array): void;
}

/** Enough for the closing line and the blanks around it. */
const tailLength = 32;
const closingLine = /(?:^|\n)data: ?\[DONE\]\s*$/u;

/**
 * Wraps fetch so that an answer's bytes are seen by the call's observer, and mends two things that the client cannot: an answer in one piece
 * where a stream was asked for becomes a stream of one event, and a web page is told apart from an answer.
 */
export const observeFetch =
  (inner: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await inner(input, init);
    const observer = observerOf(init);
    observer.onHeaders();
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok || response.body === null) return response;
    if (type.includes('text/html')) {
      await response.body.cancel();
      throw webPage(response.status);
    }
    const { status, headers } = response;
    const isWhole = type.includes('application/json');
    const answer = isWhole
      ? new Response(toSingleEvent(await response.text()), { status, headers })
      : response;
    // The client only iterates over the body; a transform stream in between costs more than all the rest of a call.
    if (answer.body !== null)
      Object.defineProperty(answer, 'body', { value: observed(answer.body, observer) });
    return answer;
  };

async function* observed(
  body: ReadableStream<Uint8Array>,
  observer: ByteObserver,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const bytes of body) {
    observer.onBytes(bytes);
    yield bytes;
  }
}

/** Where a call's observer travels through the client, which hands on what it does not know. */
const observerKey = Symbol('observer');

/** What to give a call as its `fetchOptions`. */
export const observedBy = (observer: ByteObserver): object => ({ [observerKey]: observer });

const unobserved: ByteObserver = { onHeaders: () => undefined, onBytes: () => undefined };

const observerOf = (init: RequestInit | undefined): ByteObserver =>
  // Only `observedBy` sets this key.
  (init as { readonly [observerKey]?: ByteObserver } | undefined)?.[observerKey] ?? unobserved;

/** Line breaks are only blanks in JSON, and would end the event. */
const toSingleEvent = (body: string): string =>
  `data: ${body.replace(/\s*\n\s*/gu, ' ')}\n\ndata: [DONE]\n\n`;

const webPage = (status: number): ProviderError =>
  new ProviderError({
    code: 'bad-request',
    message: `the address of the model answered ${status} with a web page`,
    retry: never,
    userText:
      'The address of the model answers with a web page instead of a model. Check base_url in config.yaml: ' +
      'it usually ends in /v1.',
  });

/** Remembers the end of a stream, since the client does not tell whether the closing line came. */
export class StreamTail {
  #tail = '';

  add(bytes: Uint8Array): void {
    // The line is ASCII, so the encoding does not matter.
    const end = Array.from(bytes.subarray(-tailLength), (byte) => String.fromCharCode(byte)).join('');
    this.#tail = (this.#tail + end).slice(-tailLength);
  }

  get isClosed(): boolean {
    return closingLine.test(this.#tail);
  }
}
