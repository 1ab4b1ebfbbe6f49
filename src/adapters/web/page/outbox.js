/**
 * What was typed and not yet taken by the gateway. It is kept in the browser, so neither a reload nor a lost connection
 * loses it, and every resend carries the same key, so that the gateway takes it once.
 */
const PREFIX = 'hermes.unsent.';
const RETRY_MS = 5_000;

const loadAll = () => {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => JSON.parse(localStorage.getItem(key)))
      .sort((one, other) => one.at - other.at);
  } catch {
    return [];
  }
};

const store = (entry) => {
  try {
    localStorage.setItem(PREFIX + entry.clientId, JSON.stringify(entry));
  } catch {
    // Without storage (private window, full) it is kept as long as the page is open.
  }
};

const forget = (clientId) => {
  try {
    localStorage.removeItem(PREFIX + clientId);
  } catch {
    // As above.
  }
};

/** Random and unguessable, also where crypto.randomUUID is missing (plain http on another host). */
export const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(36).padStart(2, '0')).join(
    '',
  );

const problemOf = async (response) => {
  try {
    return (await response.json()).error.message;
  } catch {
    return `The gateway answered ${response.status}.`;
  }
};

const isTemporary = (status) => status >= 500 || status === 429 || status === 401 || status === 408;

/** `onChange(entry, {state, id, problem})` is told how each sending goes. */
export const createOutbox = ({ onChange, onRefused }) => {
  const entries = loadAll();
  let isBusy = false;
  let timer;

  const sendOne = async (entry) => {
    onChange(entry, { state: 'sending' });
    let response;
    try {
      response = await fetch(`/api/sessions/${entry.session}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': entry.clientId },
        body: JSON.stringify({ text: entry.text, files: entry.files ?? [] }),
      });
    } catch {
      onChange(entry, { state: 'waiting' });
      return false;
    }
    if (response.status === 401) onRefused();
    if (isTemporary(response.status)) {
      onChange(entry, { state: 'waiting', problem: await problemOf(response) });
      return false;
    }
    drop(entry.clientId);
    if (response.ok) onChange(entry, { state: 'sent', id: (await response.json()).messageId });
    else onChange(entry, { state: 'failed', problem: await problemOf(response) });
    return true;
  };

  const drop = (clientId) => {
    const index = entries.findIndex((entry) => entry.clientId === clientId);
    if (index !== -1) entries.splice(index, 1);
    forget(clientId);
  };

  /** Sends what is waiting, in order; stops at the first that cannot go now. */
  const flush = async () => {
    if (isBusy) return;
    isBusy = true;
    clearTimeout(timer);
    try {
      while (entries.length > 0 && (await sendOne(entries[0])));
    } finally {
      isBusy = false;
    }
    if (entries.length > 0) timer = setTimeout(flush, RETRY_MS);
  };

  return {
    flush,
    waiting: (session) => entries.filter((entry) => entry.session === session),
    add: (session, text, files = []) => {
      const entry = { clientId: newId(), session, text, files, at: Date.now() };
      entries.push(entry);
      store(entry);
      return entry;
    },
  };
};
