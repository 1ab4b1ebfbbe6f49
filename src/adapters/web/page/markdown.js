/**
 * Markdown to DOM nodes. No markup is ever parsed from text: every element is made by name from the lists below, so
 * what a model writes can only become these.
 */

import { cjkEmphasis } from './cjk.js';
import MarkdownIt from './markdown-it.js';

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true }).use(cjkEmphasis);
// Without a scheme only what begins with www. is a link: otherwise notes.md or main.py would be addresses.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

const plainTags = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote table thead tbody tr th td strong em s'.split(' '),
);

/** Only addresses that open a page or a mail; undefined for all others. */
const safeHref = (href) => {
  if (!URL.canParse(href)) return undefined;
  return ['http:', 'https:', 'mailto:'].includes(new URL(href).protocol) ? href : undefined;
};

const link = (href) => {
  const safe = safeHref(href);
  if (safe === undefined) return document.createElement('span');
  const element = document.createElement('a');
  element.href = safe;
  element.target = '_blank';
  element.rel = 'noopener noreferrer';
  return element;
};

const copyText = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers offer the clipboard on https and localhost only; the old way works everywhere.
    const field = document.createElement('textarea');
    field.value = text;
    field.className = 'hidden';
    document.body.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    return done;
  }
};

const codeBlock = (text, info) => {
  const block = document.getElementById('code-template').content.firstElementChild.cloneNode(true);
  const language = /^[\w+#.-]{1,30}/u.exec(info.trim())?.[0] ?? '';
  block.querySelector('.language').textContent = language;
  block.querySelector('code').textContent = text.replace(/\n$/u, '');
  return block;
};

/** One handler for all code blocks, also those drawn later. */
export const enableCopyButtons = (root) => {
  root.addEventListener('click', async ({ target }) => {
    const button = target.closest?.('button.copy');
    if (!button) return;
    const done = await copyText(button.closest('figure').querySelector('code').textContent);
    button.textContent = done ? 'Copied' : 'Copying failed';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1600);
  });
};

const leaf = (token) => {
  switch (token.type) {
    case 'text':
      return document.createTextNode(token.content);
    case 'softbreak':
    case 'hardbreak':
      return document.createElement('br');
    case 'code_inline': {
      const code = document.createElement('code');
      code.textContent = token.content;
      return code;
    }
    case 'fence':
    case 'code_block':
      return codeBlock(token.content, token.info ?? '');
    case 'hr':
      return document.createElement('hr');
    case 'image': {
      // Loading a picture would tell its host that the answer was read, so it becomes a link.
      const element = link(token.attrGet('src') ?? '');
      element.textContent = token.content || token.attrGet('src') || '';
      element.classList.add('picture');
      return element;
    }
    default:
      return document.createTextNode(token.content);
  }
};

const open = (token) => {
  if (token.type === 'link_open') return link(token.attrGet('href') ?? '');
  const element = document.createElement(plainTags.has(token.tag) ? token.tag : 'span');
  const start = token.attrGet('start');
  if (token.tag === 'ol' && start !== null) element.start = Number(start);
  const align = /^text-align:(left|right|center)$/u.exec(token.attrGet('style') ?? '')?.[1];
  if (align !== undefined) element.classList.add(`align-${align}`);
  if (token.tag === 'table') element.dataset.table = '';
  return element;
};

const build = (tokens, root) => {
  const stack = [root];
  for (const token of tokens) {
    const parent = stack.at(-1);
    if (token.type === 'inline') build(token.children ?? [], parent);
    else if (token.nesting < 0) stack.pop();
    else if (token.nesting === 0) parent.append(leaf(token));
    else {
      // The paragraphs of a tight list are not drawn; their text belongs to the item.
      const element = token.hidden ? parent : open(token);
      if (!token.hidden) parent.append(element);
      stack.push(element);
    }
  }
};

/** `- [x] done` becomes a box with a tick. */
const markTasks = (root) => {
  for (const item of root.querySelectorAll('li')) {
    const holder = item.firstElementChild?.tagName === 'P' ? item.firstElementChild : item;
    const text = holder.firstChild;
    const match = text?.nodeType === Node.TEXT_NODE ? /^\[([ xX])\]\s+/u.exec(text.data) : null;
    if (!match) continue;
    text.data = text.data.slice(match[0].length);
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.disabled = true;
    box.checked = match[1] !== ' ';
    box.setAttribute('aria-label', box.checked ? 'done' : 'open');
    holder.prepend(box);
    item.classList.add('task');
  }
};

/** Wide tables scroll by themselves instead of widening the page. */
const wrapTables = (root) => {
  for (const table of root.querySelectorAll('table')) {
    const frame = document.createElement('div');
    frame.className = 'table-frame';
    frame.tabIndex = 0;
    table.replaceWith(frame);
    frame.append(table);
  }
};

export const renderMarkdown = (text) => {
  const root = document.createDocumentFragment();
  build(markdown.parse(text, {}), root);
  markTasks(root);
  wrapTables(root);
  return root;
};
