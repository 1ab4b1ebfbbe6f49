/**
 * Follows a session's event stream for ever. Not the browser's EventSource: that one gives up on an error answer and
 * does not notice a connection that died in silence, as after sleep.
 */

/** The server says something at least every 15 seconds. */
const SILENCE_MS = 40_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;

/**
 * Cuts a stream into events: feed it pieces of text, it gives the events that became complete. Comments and unknown
 * fields are dropped, as the standard says.
 */
export const createEventParser = () => {
  let rest = '';
  return (piece) => {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop();
    return blocks.flatMap((block) => {
      const fields = { id: undefined, event: 'message', data: undefined };
      for (const line of block.split('\n')) {
        const [, name, value] = /^(id|event|data): ?(.*)$/u.exec(line) ?? [];
        if (name !== undefined)
          fields[name] = name === 'data' && fields.data !== undefined ? `${fields.data}\n${value}` : value;
      }
      return fields.data === undefined ? [] : [fields];
    });
  };
};

const pause = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const early = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', early, { once: true });
    // Coming back to the tab or the network: no reason to wait longer.
    window.addEventListener('online', early, { once: true });
    document.addEventListener('visibilitychange', early, { once: true });
  });

const readOnce = async ({ session, lastEventId, onState, onEvent, signal }) => {
  const silence = new AbortController();
  let timer;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  heard();
  try {
    const response = await fetch(`/api/sessions/${session}/events`, {
      headers: { 'last-event-id': lastEventId(), accept: 'text/event-stream' },
      signal: AbortSignal.any([signal, silence.signal]),
      cache: 'no-store',
    });
    if (!response.ok) return response.status;
    onState('open');
    const parse = createEventParser();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return 200;
      heard();
      for (const event of parse(value)) onEvent(event);
    }
  } finally {
    clearTimeout(timer);
  }
};

/**
 * `lastEventId()` gives the position to resume from; `onEvent` must move it on. `onState` is told `connecting`, `open`,
 * `lost` or `refused` (a login is needed). Resolves when the signal aborts.
 */
export const followEvents = async (options) => {
  const { onState, signal } = options;
  let pauseMs = FIRST_PAUSE_MS;
  onState('connecting');
  while (!signal.aborted) {
    let status = 0;
    try {
      status = await readOnce({
        ...options,
        onState: (state) => {
          pauseMs = FIRST_PAUSE_MS;
          onState(state);
        },
      });
    } catch {
      // The network's error has no more to say than that the connection is gone.
    }
    if (signal.aborted) return;
    if (status === 401) return onState('refused');
    onState('lost');
    await pause(pauseMs * (0.8 + 0.4 * Math.random()), signal);
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
  }
};
