/** The page: wires the conversation, its stream, the composer and the list of chats together. */
import { createAskFirst } from './ask-first.js';
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
import { createForgetChat } from './forget-chat.js';
import { watchHealth } from './health.js';
import { createJobs } from './jobs.js';
import { createLogin } from './login.js';
import { enableCopyButtons } from './markdown.js';
import { createOutbox, newId } from './outbox.js';
import { createPermissions } from './permissions.js';
import { createScrolling } from './scrolling.js';
import { createSidebar } from './sidebar.js';
import { createLogView } from './view.js';

const at = (id) => document.getElementById(id);

const sessionShape = /^[A-Za-z0-9._-]{1,128}$/u;
const PAGE_MESSAGES = 60;
const NOTE_MS = 8_000;
/** Not the name of a chat. */
const JOBS = '/jobs';
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

const askFirst = createAskFirst({
  dialog: at('confirm'),
  form: at('confirm-form'),
  text: at('confirm-text'),
  yes: at('confirm-yes'),
});

const forgetChat = createForgetChat({ askFirst, onRefused: askForLogin, tell: note });

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

const permissions = createPermissions({
  currentChat: () => current,
  getJson,
  onRefused: askForLogin,
  redraw,
});

const drawLog = createLogView(at('log'), {
  drawPermission: permissions.draw,
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
    record: at('record'),
  },
  {
    onSend: (typed, files) => say(typed, files),
    onProblem: (text) => note(text),
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
  at('connection').textContent = connectionTexts[state] || noted;
  at('app').dataset.connection = state;
};

const onStreamEvent = (chat, { id, event, data }) => {
  if (chat !== current) return;
  applyEvent(chat.conversation, event, JSON.parse(data), performance.now());
  if (event === 'permission_request') void permissions.check(chat);
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

/** `isBehind`: the jobs stay on the screen. */
const openChat = async (session, { isBehind = false } = {}) => {
  if (!isBehind) showJobs(false);
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
  if (!isBehind && location.hash !== `#${session}`) history.pushState(null, '', `#${session}`);
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

/** The chat on the screen is no more: the newest other one takes its place. */
const leaveChat = () => void openChat(sidebar.newest() ?? `chat-${newId()}`);

let noteTimer;
let noted = '';

/** Stands where the connection is told of, while there is nothing to tell of it. */
function note(text) {
  clearTimeout(noteTimer);
  noted = text;
  at('connection').textContent = text;
  noteTimer = setTimeout(() => {
    if (at('connection').textContent === noted) at('connection').textContent = '';
    noted = '';
  }, NOTE_MS);
}

const sidebar = createSidebar(
  {
    app: at('app'),
    list: at('chats'),
    title: at('title'),
    openers: [at('open-sidebar'), at('jobs-open-sidebar')],
    jobs: at('jobs-link'),
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
    onDelete: async (session, title) => {
      if (!(await forgetChat(session, title))) return;
      const isCurrent = session === current?.session;
      await sidebar.forget(session);
      if (isCurrent) leaveChat();
      at('new-chat').focus();
    },
    onGone: () => {
      note('This chat was deleted.');
      leaveChat();
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
  showJobs(session === JOBS);
  if (sessionShape.test(session) && session !== current?.session) void openChat(session);
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

/* Jobs */

const jobs = createJobs(
  {
    root: at('jobs'),
    list: at('job-list'),
    empty: at('jobs-empty'),
    status: at('jobs-status'),
    add: at('job-add'),
    link: at('jobs-link'),
    form: at('job-form'),
    title: at('job-form-title'),
    preview: at('job-preview'),
    problem: at('job-problem'),
    cancel: at('job-cancel'),
    more: at('job-more'),
    targets: at('job-targets'),
  },
  { askFirst, onRefused: askForLogin },
);

function showJobs(isShown) {
  at('chat').hidden = isShown;
  jobs.show(isShown);
  sidebar.showCurrent(!isShown);
}

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
  if (location.hash === `#${JOBS}`) {
    showJobs(true);
    return openChat(remembered() || (sidebar.newest() ?? `chat-${newId()}`), { isBehind: true });
  }
  const wanted = [location.hash.slice(1), remembered()].find((session) => sessionShape.test(session));
  // On a phone the keyboard would cover half of the page.
  if (matchMedia('(pointer: fine)').matches) composer.focus();
  await openChat(wanted ?? sidebar.newest() ?? `chat-${newId()}`);
};

void start();
