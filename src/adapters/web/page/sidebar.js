/** The list of chats, and the drawer that it is on a phone. */
const REFRESH_DELAY_MS = 150;
/** Chats can be deleted elsewhere. */
const POLL_MS = 20_000;

/**
 * `loadSessions()` gives `{session, title}` objects, newest first; `onNew()` begins a chat; `onDelete(session, title)` asks
 * and deletes; `onGone()` is told that the chat on the screen, which was in the list, is there no more.
 */
export const createSidebar = (
  { app, list, title, openers, close, shade, newChat, jobs },
  { loadSessions, onNew, onDelete, onGone },
) => {
  let sessions = [];
  let current;
  let opener = openers[0];
  let isChatShown = true;
  let timer;

  const show = (isShown) => {
    app.classList.toggle('shows-sidebar', isShown);
    for (const open of openers) open.setAttribute('aria-expanded', String(isShown));
    if (isShown) newChat.focus();
  };

  const toDelete = (session, text) => {
    const button = document.getElementById('forget-template').content.firstElementChild.cloneNode(true);
    button.setAttribute('aria-label', `Delete the chat ${text}`);
    button.addEventListener('click', (event) => {
      event.stopPropagation();
      void onDelete(session, text);
    });
    return button;
  };

  const toItem = ({ session, title: text }) => {
    const link = document.createElement('a');
    link.href = `#${session}`;
    link.textContent = text || session;
    if (session === current && isChatShown) link.setAttribute('aria-current', 'page');
    const item = document.createElement('li');
    item.append(link);
    if (sessions.some((one) => one.session === session)) item.append(toDelete(session, link.textContent));
    return item;
  };

  const draw = () => {
    const listed = sessions.find(({ session }) => session === current);
    const shown = listed === undefined ? [{ session: current, title: 'New chat' }, ...sessions] : sessions;
    list.replaceChildren(...shown.map(toItem));
    title.textContent = listed === undefined ? 'New chat' : listed.title || current;
    if (!isChatShown) document.title = 'Scheduled jobs · Hermes';
    else document.title = listed === undefined ? 'Hermes' : `${title.textContent} · Hermes`;
  };

  const refresh = async () => {
    const before = sessions;
    const shown = current;
    sessions = await loadSessions().catch(() => sessions);
    if (current === undefined) return;
    draw();
    const has = (list) => list.some(({ session }) => session === shown);
    if (shown === current && has(before) && !has(sessions)) onGone();
  };

  const poll = () => {
    if (!document.hidden) void refresh();
  };
  setInterval(poll, POLL_MS);
  document.addEventListener('visibilitychange', poll);
  for (const open of openers)
    open.addEventListener('click', () => {
      opener = open;
      show(true);
    });
  jobs.addEventListener('click', () => show(false));
  close.addEventListener('click', () => show(false));
  shade.addEventListener('click', () => show(false));
  list.addEventListener('click', () => show(false));
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !app.classList.contains('shows-sidebar')) return;
    show(false);
    opener.focus();
  });
  newChat.addEventListener('click', () => {
    show(false);
    onNew();
  });

  return {
    refresh,
    /** The same a little later, once for many calls. */
    refreshSoon: () => {
      clearTimeout(timer);
      timer = setTimeout(refresh, REFRESH_DELAY_MS);
    },
    select: (session) => {
      current = session;
      draw();
    },
    /** The chat is deleted: it leaves the list at once. */
    forget: async (session) => {
      sessions = sessions.filter((one) => one.session !== session);
      draw();
      await refresh();
    },
    /** Whether the chat is what is on the screen. */
    showCurrent: (isShown) => {
      isChatShown = isShown;
      if (current !== undefined) draw();
    },
    newest: () => sessions[0]?.session,
  };
};
