/** The list of chats, and the drawer that it is on a phone. */
const REFRESH_DELAY_MS = 150;

/** `loadSessions()` gives `{session, title}` objects, newest first; `onNew()` begins a chat. */
export const createSidebar = ({ app, list, title, open, close, shade, newChat }, { loadSessions, onNew }) => {
  let sessions = [];
  let current;
  let timer;

  const show = (isShown) => {
    app.classList.toggle('shows-sidebar', isShown);
    open.setAttribute('aria-expanded', String(isShown));
    if (isShown) newChat.focus();
  };

  const toItem = ({ session, title: text }) => {
    const link = document.createElement('a');
    link.href = `#${session}`;
    link.textContent = text || session;
    if (session === current) link.setAttribute('aria-current', 'page');
    const item = document.createElement('li');
    item.append(link);
    return item;
  };

  const draw = () => {
    const listed = sessions.find(({ session }) => session === current);
    const shown = listed === undefined ? [{ session: current, title: 'New chat' }, ...sessions] : sessions;
    list.replaceChildren(...shown.map(toItem));
    title.textContent = listed === undefined ? 'New chat' : listed.title || current;
    document.title = listed === undefined ? 'Hermes' : `${title.textContent} · Hermes`;
  };

  const refresh = async () => {
    sessions = await loadSessions().catch(() => sessions);
    if (current !== undefined) draw();
  };

  open.addEventListener('click', () => show(true));
  close.addEventListener('click', () => show(false));
  shade.addEventListener('click', () => show(false));
  list.addEventListener('click', () => show(false));
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !app.classList.contains('shows-sidebar')) return;
    show(false);
    open.focus();
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
    newest: () => sessions[0]?.session,
  };
};
