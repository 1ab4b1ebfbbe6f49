/**
 * Cards that ask for permission: what is to be done, how long there is to decide, and the answers as buttons. They never
 * take the focus: whoever is typing must not allow something by the way. Alt+1 to Alt+4 answer the newest open card.
 */

const TICK_MS = 250;

const labels = { once: 'Allow once', session: 'This session', always: 'Always', deny: 'Deny' };

const outcomes = {
  allowed: 'Allowed',
  denied: 'Denied',
  timed_out: 'Nobody answered in time, so it was denied',
  cancelled: 'Cancelled',
};

const answersOf = ({ grantKey }) =>
  grantKey === null ? ['once', 'deny'] : ['once', 'session', 'always', 'deny'];

const leftMs = ({ deadline }) => Math.max(0, deadline - performance.now());

const showLeft = (node, item) => {
  const left = leftMs(item);
  const seconds = Math.ceil(left / 1000);
  const text = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  node.querySelector('.permission-left').textContent = left === 0 ? 'Time is over' : `${text} left`;
  const bar = node.querySelector('.permission-bar');
  bar.style.setProperty('--left', String(item.totalMs > 0 ? left / item.totalMs : 0));
  node.classList.toggle('is-urgent', left < 10_000);
};

/** `answer(item, choice, reason)` sends it; the card changes with the gateway's own word. */
export const createPermissionCards = ({ answer }) => {
  const open = new Map();

  const tick = () => {
    for (const [node, item] of open)
      if (node.isConnected) showLeft(node, item);
      else open.delete(node);
  };
  setInterval(tick, TICK_MS);

  const choose = (item, choice, reason = '') => {
    if (item.state === 'open') void answer(item, choice, reason.trim());
  };

  document.addEventListener('keydown', (event) => {
    const index = /^Digit([1-4])$/u.exec(event.code)?.[1];
    if (!event.altKey || event.ctrlKey || event.metaKey || event.repeat || index === undefined) return;
    const newest = [...open.values()].findLast(({ state }) => state === 'open');
    const choice = newest && answersOf(newest)[Number(index) - 1];
    if (choice === undefined) return;
    event.preventDefault();
    choose(newest, choice);
  });

  const drawButtons = (node, item) => {
    const reason = node.querySelector('.permission-reason');
    const buttons = answersOf(item).map((choice, index) => {
      const element = document.createElement('button');
      element.type = 'button';
      element.className = `permission-answer is-${choice}`;
      element.textContent = labels[choice];
      element.title = `Alt+${index + 1}`;
      element.setAttribute('aria-keyshortcuts', `Alt+${index + 1}`);
      element.disabled = item.state !== 'open';
      element.addEventListener('click', () => choose(item, choice, choice === 'deny' ? reason.value : ''));
      return element;
    });
    node.querySelector('.permission-answers').replaceChildren(...buttons);
  };

  const draw = (node, item) => {
    const isOver = item.outcome !== undefined;
    node.className = `permission is-${item.outcome ?? item.state}`;
    node.querySelector('.permission-tool').textContent = item.title;
    node.querySelector('.permission-category').textContent = item.category;
    const details = node.querySelector('.permission-arguments');
    details.textContent = item.arguments || item.summary;
    details.hidden = details.textContent === '';
    const risk = node.querySelector('.permission-risk');
    risk.textContent = item.risk ?? '';
    risk.hidden = item.risk === null;
    const grant = node.querySelector('.permission-grant');
    grant.hidden = isOver || item.grantLabel === null;
    node.querySelector('.permission-grant-label').textContent = item.grantLabel ?? '';
    node.querySelector('form').hidden = isOver;
    node.querySelector('.permission-problem').textContent = item.problem ?? '';
    const end = node.querySelector('.permission-outcome');
    end.hidden = !isOver;
    end.textContent = isOver ? `${outcomes[item.outcome]}${item.by ? ` by ${item.by}` : ''}` : '';
    if (isOver) {
      open.delete(node);
      return;
    }
    // The buttons keep the focus while only the time moves on.
    if (!open.has(node)) {
      drawButtons(node, item);
      node.querySelector('form').addEventListener('submit', (event) => {
        event.preventDefault();
        choose(item, 'deny', node.querySelector('.permission-reason').value);
      });
    }
    for (const element of node.querySelectorAll('.permission-answer'))
      element.disabled = item.state !== 'open';
    open.set(node, item);
    showLeft(node, item);
  };

  return { draw };
};
