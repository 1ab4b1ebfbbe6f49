/**
 * The chat completions dialect of OpenAI and its many imitators, through the `openai` client. The client does HTTP and
 * events; what its answers mean is in `openai-chat/`. It never retries: there is one retry policy, and it is not here.
 */
import type OpenAI from 'openai';
import { later, ProviderError } from '../../core/errors.js';
import type { ModelEvent, ModelRequest } from '../../core/provider.js';
import { toShownAddress } from '../../core/setting-words.js';
import { SilenceWatch } from './kit/silence-watch.js';
import { ChatAnswer } from './openai-chat/answer.js';
import { type ByteObserver, observedBy, observeFetch, StreamTail } from './openai-chat/connection.js';
import { type ErrorContext, toProviderError } from './openai-chat/errors.js';
import { createHttpFetch } from './openai-chat/http-fetch.js';
import { toRequestBody } from './openai-chat/request.js';
import type { ProviderPorts, ProviderSettings, WarmProvider } from './provider-definition.js';

const ownAddress = 'https://api.openai.com/v1';
/** Until the first byte: a queue at the service, or a local server that loads the model. */
const headersLimitMs = 120_000;
/** Between two bytes: a model that thinks in silence takes long, a dead connection for ever. */
const silenceLimitMs = 180_000;
/**
 * For both, where the model runs nearby: it may read a long prompt for minutes before its first byte.
 */
const nearbyLimitMs = 280_000;
/** After the answer is complete, for the usage that some services send last. */
const closingLimitMs = 5000;
/** The client's own limit, put out of the way of ours. */
const clientTimeoutMs = 24 * 3_600_000;

/** A reason at hand: an abort without one makes an error with a stack, at each call. */
const overReason = new Error('the call is over');

type Client = typeof OpenAI;

/** One call under way: its connection can be given up, and says why. */
interface Call {
  readonly controller: AbortController;
  readonly tail: StreamTail;
  readonly watch: SilenceWatch;
  /** Lets go of the turn's signal. */
  readonly release: () => void;
  hasBegun: boolean;
  /** Nothing of it is left to be cut off. */
  isOver: boolean;
  gaveUp: ProviderError | undefined;
}

export const createOpenAiChatProvider = (settings: ProviderSettings, ports: ProviderPorts): WarmProvider => {
  const baseUrl = settings.baseUrl ?? ownAddress;
  const address = toShownAddress(baseUrl);
  const isNearby = isPrivateHost(baseUrl);
  let loading: Promise<Client> | undefined;
  const load = (): Promise<Client> => {
    loading ??= import('./openai-chat/client.js').then((library) => library.OpenAI);
    return loading;
  };

  const contextOf = ({ model }: ModelRequest, { hasBegun }: Call): ErrorContext => ({
    hasBegun,
    address,
    settingsPath: settings.settingsPath,
    model,
    now: ports.clock.now(),
    redact: ports.redact,
  });

  // One for all calls: it is made of some fifty parts.
  let client: OpenAI | undefined;
  const loadClient = async (): Promise<OpenAI> => {
    const Library = await load();
    client ??= new Library({
      baseURL: baseUrl,
      // The client insists on a key; a local server ignores it.
      apiKey: settings.apiKey ?? 'none',
      // Else the client reads them from the environment.
      organization: null,
      project: null,
      logLevel: 'off',
      maxRetries: 0,
      timeout: clientTimeoutMs,
      fetch: observeFetch(ports.fetch ?? createHttpFetch()),
    });
    return client;
  };

  const observe = (call: Call): ByteObserver => ({
    onHeaders: () => {
      call.hasBegun = true;
      call.watch.start(isNearby ? nearbyLimitMs : silenceLimitMs);
    },
    onBytes: (bytes) => {
      call.watch.touch();
      call.tail.add(bytes);
    },
  });

  async function* readAnswer(request: ModelRequest, call: Call): AsyncGenerator<ModelEvent, void, undefined> {
    const library = await loadClient();
    const answer = new ChatAnswer();
    try {
      call.watch.start(isNearby ? nearbyLimitMs : headersLimitMs);
      const { signal } = call.controller;
      const fetchOptions = observedBy(observe(call));
      const chunks = await library.chat.completions.create(toRequestBody(request), { signal, fetchOptions });
      let isClosing = false;
      for await (const chunk of chunks) {
        for (const event of answer.push(chunk)) yield event;
        if (answer.isEndless) break;
        if (answer.isFinished && !isClosing) call.watch.start(closingLimitMs);
        isClosing = answer.isFinished;
      }
      call.isOver = !answer.isEndless;
    } catch (error) {
      // Once the service has said that the answer is complete, a broken end changes nothing.
      if (!answer.isFinished) throw error;
    }
    if (call.gaveUp !== undefined && !answer.isFinished) throw call.gaveUp;
    yield* answer.finish(ports.ids, { isClosed: call.tail.isClosed });
  }

  return {
    name: 'openai',
    isDemo: false,
    async warmUp() {
      await load();
    },
    async *stream(request, { signal }) {
      signal.throwIfAborted();
      const call = openCall(address, ports, signal);
      try {
        for await (const event of readAnswer(request, call)) {
          signal.throwIfAborted();
          yield event;
        }
      } catch (error) {
        signal.throwIfAborted();
        yield { type: 'error', error: call.gaveUp ?? toProviderError(error, contextOf(request, call)) };
      } finally {
        call.watch.stop();
        call.release();
        if (!call.isOver) call.controller.abort(overReason);
      }
      signal.throwIfAborted();
    },
  };
};

const openCall = (address: string, { clock }: ProviderPorts, signal: AbortSignal): Call => {
  const controller = new AbortController();
  const watch = new SilenceWatch(clock, (limitMs) => {
    call.gaveUp = silent(address, limitMs);
    controller.abort();
  });
  const onAbort = (): void => controller.abort(overReason);
  const call: Call = {
    controller,
    watch,
    tail: new StreamTail(),
    release: () => signal.removeEventListener('abort', onAbort),
    hasBegun: false,
    isOver: false,
    gaveUp: undefined,
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return call;
};

const silent = (address: string, limitMs: number): ProviderError =>
  new ProviderError({
    code: 'unavailable',
    message: `${address}: nothing came for ${limitMs / 1000} s`,
    retry: later,
    userText: `The model at ${address} has been silent for ${limitMs / 1000} seconds. Please try again, or check that it is well.`,
  });

const privateHost =
  /^(?:localhost|127\.[\d.]+|\[::1\]|10\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|[\w-]+(?:\.local)?)$/u;

/** This host, the local network, or a name without dots. */
const isPrivateHost = (baseUrl: string): boolean =>
  URL.canParse(baseUrl) && privateHost.test(new URL(baseUrl).hostname);
