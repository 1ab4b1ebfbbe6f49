/** The page: wires the conversation, its stream, the composer and the list of chats together. */
import { createComposer } from './composer.js';
import {
  addPending,
  applyEvent,
  createConversation,
  dropPending,
  markPending,
  prependHistory,
  questionOf,
} from './conversation.js';
import { followEvents } from './event-source.js';
import { watchHealth } from './health.js';
import { createLogin } from './login.js';
import { enableCopyButtons } from './markdown.js';
import { createOutbox, newId } from './outbox.js';
import { createScrolling } from './scrolling.js';
import { createSidebar } from './sidebar.js';
import { createLogView } from './view.js';

const at = (id) => document.getElementById(id);

const sessionShape = /^[A-Za-z0-9._-]{1,128}$/u;
const PAGE_MESSAGES = 60;
const HISTORY_RETRY_MS = 2_000;
const LONG_WAIT_SECONDS = 5;

/** The chat on the screen. */
let current;

const askForLogin = createLogin({
  dialog: at('login'),
  form: at('login-form'),
  token: at('login-token'),
  problem: at('login-problem'),
});

const getJson = async (path) => {
  const response = await fetch(path, { cache: 'no-store' });
  if (response.status === 401) askForLogin();
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
};

/* Drawing */

const discard = ({ clientId }) => {
  dropPending(current.conversation, clientId);
  redraw();
};

const drawLog = createLogView(at('log'), {
  discard,
  edit: (item) => {
    discard(item);
    composer.restore(item.text, item.files);
  },
  canRetry: (item) => questionOf(current.conversation, item) !== undefined,
  retry: (item) => say(questionOf(current.conversation, item).text),
});
const scrolling = createScrolling({ scroller: at('scroller'), toEnd: at('to-end') });

let isScheduled = false;
let lastCostMs = 0;
let lastDrawnAt = 0;
let foldedFor;
let workingSince;
let waitingTimer;

const draw = () => {
  lastDrawnAt = performance.now();
  const { conversation, isLoaded, before } = current;
  drawLog(conversation);
  lastCostMs = performance.now() - lastDrawnAt;
  at('welcome').hidden = !isLoaded || conversation.items.length > 0;
  foldNotes(conversation);
  at('earlier').hidden = before === null;
  // Text that is being written says by itself that somebody is at work.
  at('working').hidden = !conversation.isWorking || conversation.items.some(({ isOpen }) => isOpen);
  showWaiting(conversation);
  at('log').setAttribute('aria-busy', String(conversation.isWorking));
  composer.showWorking(conversation.isWorking);
  scrolling.settle();
};

/** A long wait is seen to go on: a model that is asked again says nothing meanwhile. */
const showWaiting = ({ isWorking, detail }) => {
  clearTimeout(waitingTimer);
  workingSince = isWorking ? (workingSince ?? performance.now()) : undefined;
  const seconds = Math.floor((performance.now() - (workingSince ?? performance.now())) / 1000);
  const words = detail ?? (seconds < LONG_WAIT_SECONDS ? 'Working…' : 'Still working…');
  at('working-text').textContent = seconds < LONG_WAIT_SECONDS ? words : `${words} ${seconds} s`;
  if (isWorking) waitingTimer = setTimeout(() => showWaiting(current.conversation), 1_000);
};

/** Advice gives way to the conversation once, with its first message; whoever opens it again keeps it open. */
const foldNotes = (conversation) => {
  if (conversation.items.length === 0 || conversation === foldedFor) return;
  foldedFor = conversation;
  for (const details of at('banners').querySelectorAll('details')) details.open = false;
};

const onFrame = () => {
  isScheduled = false;
  // A long answer takes longer to draw than a frame lasts: then it is drawn less often, and typing stays fluent.
  if (performance.now() - lastDrawnAt < lastCostMs * 4) redraw();
  else draw();
};

function redraw() {
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(onFrame);
}

/* Sending */

const outbox = createOutbox({
  onRefused: askForLogin,
  onChange: ({ session, clientId }, change) => {
    if (current?.session !== session) return;
    markPending(current.conversation, clientId, change);
    redraw();
  },
});

const say = (text, files = []) => {
  addPending(current.conversation, outbox.add(current.session, text, files));
  scrolling.follow();
  redraw();
  void outbox.flush();
};

at('examples').addEventListener('click', ({ target }) => {
  if (target.tagName === 'BUTTON') say(target.textContent);
});

const composer = createComposer(
  {
    form: at('composer'),
    text: at('composer-text'),
    send: at('send'),
    stop: at('stop'),
    box: at('composer-box'),
    list: at('attachments'),
    attach: at('attach'),
    chooser: at('chooser'),
  },
  {
    onSend: (typed, files) => say(typed, files),
    onStop: async () => {
      const request = fetch(`/api/sessions/${current.session}/cancel`, { method: 'POST' });
      const response = await request.catch(() => undefined);
      return response?.ok === true;
    },
  },
);

/* Connection */

const connectionTexts = {
  connecting: 'Connecting…',
  open: '',
  lost: 'Connection lost, reconnecting…',
  refused: 'Signed out',
};

const showConnection = (state) => {
  at('connection').textContent = connectionTexts[state];
  at('app').dataset.connection = state;
};

const onStreamEvent = (chat, { id, event, data }) => {
  if (chat !== current) return;
  applyEvent(chat.conversation, event, JSON.parse(data));
  if (id !== undefined) chat.lastEventId = id;
  if (event === 'message') sidebar.refreshSoon();
  redraw();
};

const onStreamState = (chat, state) => {
  if (chat !== current) return;
  showConnection(state);
  if (state === 'refused') askForLogin();
  if (state !== 'open') return;
  void outbox.flush();
  void refreshHealth();
};

/* Chats */

const loadHistory = async (chat) => {
  while (!chat.signal.aborted) {
    try {
      const { messages, retold, steps, before, lastEventId } = await getJson(
        `/api/sessions/${chat.session}/messages?limit=${PAGE_MESSAGES}`,
      );
      prependHistory(chat.conversation, messages.slice(0, messages.length - retold), steps);
      Object.assign(chat, { before, lastEventId, isLoaded: true });
      return;
    } catch {
      if (chat === current) showConnection('lost');
      await new Promise((resolve) => setTimeout(resolve, HISTORY_RETRY_MS));
    }
  }
};

const openChat = async (session) => {
  current?.stop();
  const controller = new AbortController();
  const chat = {
    session,
    conversation: createConversation(),
    lastEventId: '',
    before: null,
    isLoaded: false,
    signal: controller.signal,
    stop: () => controller.abort(),
  };
  current = chat;
  workingSince = undefined;
  scrolling.follow();
  for (const entry of outbox.waiting(session)) addPending(chat.conversation, entry);
  if (location.hash !== `#${session}`) history.pushState(null, '', `#${session}`);
  remember(session);
  sidebar.select(session);
  redraw();
  await loadHistory(chat);
  if (chat !== current) return;
  redraw();
  await followEvents({
    session,
    signal: controller.signal,
    lastEventId: () => chat.lastEventId,
    onState: (state) => onStreamState(chat, state),
    onEvent: (event) => onStreamEvent(chat, event),
  });
};

const sidebar = createSidebar(
  {
    app: at('app'),
    list: at('chats'),
    title: at('title'),
    open: at('open-sidebar'),
    close: at('close-sidebar'),
    shade: at('shade'),
    newChat: at('new-chat'),
  },
  {
    loadSessions: async () => (await getJson('/api/sessions')).sessions,
    onNew: () => {
      void openChat(`chat-${newId()}`);
      composer.focus();
    },
  },
);

at('earlier').addEventListener('click', async () => {
  const chat = current;
  const path = `/api/sessions/${chat.session}/messages?limit=${PAGE_MESSAGES}&before=${chat.before}`;
  const page = await getJson(path).catch(() => undefined);
  if (page === undefined || chat !== current) return;
  prependHistory(chat.conversation, page.messages);
  chat.before = page.before;
  scrolling.keepPlace(draw);
});

window.addEventListener('hashchange', () => {
  const session = location.hash.slice(1);
  if (sessionShape.test(session) && session !== current.session) void openChat(session);
});

const remember = (session) => {
  try {
    localStorage.setItem('hermes.chat', session);
  } catch {
    // Without storage the page begins with the newest chat.
  }
};

const remembered = () => {
  try {
    return localStorage.getItem('hermes.chat') ?? '';
  } catch {
    return '';
  }
};

/* Start */

const refreshHealth = watchHealth({
  platforms: at('health'),
  banners: at('banners'),
  isFresh: () => (current?.conversation.items.length ?? 0) === 0,
});

const start = async () => {
  enableCopyButtons(at('log'));
  void refreshHealth();
  await sidebar.refresh();
  const wanted = [location.hash.slice(1), remembered()].find((session) => sessionShape.test(session));
  // On a phone the keyboard would cover half of the page.
  if (matchMedia('(pointer: fine)').matches) composer.focus();
  await openChat(wanted ?? sidebar.newest() ?? `chat-${newId()}`);
};

void start();
