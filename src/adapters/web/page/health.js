/** The status line of the platforms, and notes about what the owner should know. */
const POLL_MS = 20_000;

const stateWords = {
  connected: 'connected',
  starting: 'starting',
  unhealthy: 'in trouble',
  stopped: 'stopped',
};

const drawPlatforms = (root, { adapters, version }) => {
  const items = adapters.map(({ title, state, detail }) => {
    const item = document.createElement('span');
    item.className = `platform is-${state}`;
    item.textContent = title;
    const words = document.createElement('span');
    words.className = 'platform-state';
    words.textContent = ` ${stateWords[state] ?? state}`;
    item.append(words);
    if (detail !== undefined) item.title = detail;
    return item;
  });
  const release = document.createElement('span');
  release.className = 'version';
  release.textContent = `Hermes Gateway ${version}`;
  root.replaceChildren(...items, release);
};

const textWithCode = (text) =>
  text.split('`').map((piece, index) => {
    if (index % 2 === 0) return document.createTextNode(piece);
    const code = document.createElement('code');
    code.textContent = piece;
    return code;
  });

const demoNote = {
  id: 'demo',
  tone: 'info',
  text: 'This is the built-in demo: a script answers, no real model is connected.',
  advice:
    'To connect one, write `OPENAI_API_KEY=…` (and `OPENAI_BASE_URL=…` for any other OpenAI-compatible service) to ' +
    '`.env` in the gateway’s home, by default `~/.hermes`, and restart the gateway.',
};

const notesOf = ({ model, problems, adapters }) => [
  ...(model.isDemo ? [demoNote] : []),
  ...adapters
    .filter(({ state, detail }) => (state === 'unhealthy' || state === 'stopped') && detail !== undefined)
    .map(({ platform, title, state, detail }) => ({
      id: `${platform} ${detail}`,
      text: `${title} is ${stateWords[state]}.`,
      advice: detail,
      tone: 'warning',
    })),
  ...problems.map((text) => ({ id: text, text, tone: 'warning' })),
];

const drawNote = ({ text, advice, tone }, isFresh) => {
  const banner = document.getElementById('banner-template').content.firstElementChild.cloneNode(true);
  banner.classList.add(`is-${tone}`);
  const details = banner.querySelector('details');
  if (advice === undefined) {
    const plain = document.createElement('p');
    plain.className = 'banner-text';
    plain.append(...textWithCode(text));
    details.replaceWith(plain);
    return banner;
  }
  banner.querySelector('summary').append(...textWithCode(text));
  banner.querySelector('details p').append(...textWithCode(advice));
  // Beside a conversation one line is enough; on a phone it would cover half of it.
  details.open = isFresh && matchMedia('(min-width: 50rem)').matches;
  return banner;
};

/** Notes that were put away stay away until the page is opened again. */
const drawNotes = (root, notes, { hiddenNotes, isFresh }) => {
  const shown = notes.filter(
    ({ id }, index) => !hiddenNotes.has(id) && notes.findIndex((note) => note.id === id) === index,
  );
  const signature = JSON.stringify(shown);
  // Drawing them again would take the focus from their buttons.
  if (root.dataset.shown === signature) return;
  root.dataset.shown = signature;
  root.replaceChildren(
    ...shown.map((note) => {
      const banner = drawNote(note, isFresh());
      banner.querySelector('button').addEventListener('click', () => {
        hiddenNotes.add(note.id);
        drawNotes(root, notes, { hiddenNotes, isFresh });
      });
      return banner;
    }),
  );
};

/** `isFresh()`: nothing was said yet, so there is room for advice. */
export const watchHealth = ({ platforms, banners, isFresh }) => {
  const hiddenNotes = new Set();
  let timer;
  const refresh = async () => {
    clearTimeout(timer);
    timer = setTimeout(refresh, POLL_MS);
    if (document.hidden) return;
    try {
      const response = await fetch('/health', { cache: 'no-store' });
      if (!response.ok) return;
      const health = await response.json();
      drawPlatforms(platforms, health);
      drawNotes(banners, notesOf(health), { hiddenNotes, isFresh });
    } catch {
      // The connection line says that the gateway is away.
    }
  };
  document.addEventListener('visibilitychange', refresh);
  return refresh;
};
