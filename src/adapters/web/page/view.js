/** Draws a conversation's items. Nodes are kept by key, so only what changed is drawn again. */
import { renderMarkdown } from './markdown.js';

const clone = (id) => document.getElementById(id).content.firstElementChild.cloneNode(true);

/**
 * Replaces only the blocks that differ: while text streams in, that is the last one. So a selection in the text above
 * survives, and a long answer does not flicker.
 */
const updateBlocks = (body, fragment) => {
  const next = [...fragment.childNodes];
  const old = [...body.childNodes];
  let same = 0;
  while (same < next.length && same < old.length && next[same].isEqualNode(old[same])) same += 1;
  for (const node of old.slice(same)) node.remove();
  body.append(...next.slice(same));
};

const timeOf = (at) => new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });

const button = (text, onClick) => {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = 'link';
  element.textContent = text;
  element.addEventListener('click', onClick);
  return element;
};

const footerOf = (item, actions) => {
  if (item.kind === 'draft' && item.isStopped) return ['Stopped here.'];
  if (item.isError && actions.canRetry(item)) return [button('Try again', () => actions.retry(item))];
  if (item.kind !== 'pending') return [];
  if (item.state === 'failed')
    return [
      `Not sent. ${item.problem} `,
      button('Edit', () => actions.edit(item)),
      ' ',
      button('Discard', () => actions.discard(item)),
    ];
  if (item.state === 'waiting') return [item.problem ?? 'Waiting for the connection; it is sent by itself.'];
  return [];
};

const linkTo = ({ url, name }, content) => {
  const link = document.createElement('a');
  Object.assign(link, { href: url, target: '_blank', rel: 'noopener', title: name });
  link.append(content);
  return link;
};

/** A file that is still to be sent has no address yet. */
const mediaElement = ({ url, name, type }) => {
  const [family] = type.split('/');
  if (url === undefined || !['image', 'audio', 'video'].includes(family) || type.includes('svg')) {
    const chip = url === undefined ? document.createElement('span') : linkTo({ url, name }, name);
    if (url === undefined) chip.append(name);
    else chip.download = name;
    chip.className = 'file';
    return chip;
  }
  if (family === 'image')
    return linkTo({ url, name }, Object.assign(new Image(), { src: url, alt: name, loading: 'lazy' }));
  const player = document.createElement(family);
  return Object.assign(player, { src: url, title: name, controls: true, preload: 'metadata' });
};

const drawMedia = (element, media) => {
  element.hidden = media.length === 0;
  const names = JSON.stringify(media.map(({ url, name }) => [url, name]));
  // What plays goes on playing while the text beside it is drawn again.
  if (element.dataset.names === names) return;
  element.dataset.names = names;
  element.replaceChildren(...media.map(mediaElement));
};

const drawMessage = (node, item, actions) => {
  const isUser = item.kind === 'pending' || item.role === 'user';
  const isDraft = item.kind === 'draft' && item.isOpen;
  node.className = `message ${isUser ? 'from-user' : 'from-agent'}`;
  node.classList.toggle('is-draft', isDraft);
  node.classList.toggle('is-waiting', item.kind === 'pending' && item.state !== 'failed');
  node.classList.toggle('is-failed', item.kind === 'pending' && item.state === 'failed');
  node.classList.toggle('is-error', item.isError === true);
  node.classList.toggle('begins-anew', isUser && item.text.trim() === '/new');
  // A screen reader is told a text once, when it is whole.
  if (isDraft) node.setAttribute('aria-hidden', 'true');
  else node.removeAttribute('aria-hidden');
  node.querySelector('h3').textContent = isUser ? 'You' : 'Hermes';
  const body = node.querySelector('.body');
  body.classList.toggle('prose', !isUser);
  if (isUser) body.textContent = item.text;
  else updateBlocks(body, renderMarkdown(item.text));
  drawMedia(node.querySelector('.media'), item.media ?? item.files ?? []);
  if (item.at !== undefined) node.title = timeOf(item.at);
  const footer = node.querySelector('footer');
  const content = footerOf(item, actions);
  footer.replaceChildren(...content);
  footer.hidden = content.length === 0;
};

const toolStates = { started: 'running', finished: 'done', failed: 'failed', ended: '' };

const drawTool = (node, { name, summary, state }) => {
  node.className = `tool is-${state}`;
  node.querySelector('.tool-name').textContent = name;
  node.querySelector('.tool-summary').textContent = summary;
  node.querySelector('.tool-state').textContent = toolStates[state];
};

const draw = (node, item, actions) => {
  if (item.kind === 'tool') drawTool(node, item);
  else if (item.kind === 'permission') actions.drawPermission(node, item);
  else if (item.kind === 'notice') node.textContent = item.text;
  else drawMessage(node, item, actions);
};

const create = ({ kind }) => {
  if (kind === 'tool') return clone('tool-template');
  if (kind === 'permission') return clone('permission-template');
  if (kind === 'notice') return Object.assign(document.createElement('p'), { className: 'notice' });
  return clone('message-template');
};

/** Call the result with a conversation whenever it changed. `actions`: edit and discard of a failed message, retry of an answer. */
export const createLogView = (log, actions) => {
  const drawn = new Map();
  return ({ items }) => {
    const keys = new Set(items.map(({ key }) => key));
    for (const [key, { node }] of drawn) {
      if (keys.has(key)) continue;
      node.remove();
      drawn.delete(key);
    }
    let previous = null;
    for (const item of items) {
      let known = drawn.get(item.key);
      if (known === undefined) {
        known = { node: create(item), version: 0, kind: undefined };
        drawn.set(item.key, known);
      }
      if (known.version !== item.version || known.kind !== item.kind) {
        draw(known.node, item, actions);
        Object.assign(known, { version: item.version, kind: item.kind });
      }
      const expected = previous === null ? log.firstChild : previous.nextSibling;
      if (expected !== known.node) log.insertBefore(known.node, expected);
      previous = known.node;
    }
  };
};
