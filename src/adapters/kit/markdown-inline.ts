/** markdown-it's flat inline tokens to nested inlines. */
import type { Token } from 'markdown-it';
import type { Inline, MarkStyle } from '../../core/markdown.js';

/** Marks nested deeper than this are read through: their text stays, their style is dropped. */
const MAX_DEPTH = 16;

const MARKS: Readonly<Record<string, MarkStyle>> = {
  strong_open: 'strong',
  em_open: 'emphasis',
  s_open: 'strike',
  spoiler_open: 'spoiler',
};

interface Frame {
  readonly open: Token | undefined;
  readonly children: Inline[];
}

export function buildInlines(tokens: readonly Token[], depth = 0): readonly Inline[] {
  const root: Frame = { open: undefined, children: [] };
  const stack: Frame[] = [root];
  for (const token of tokens) {
    const top = stack.at(-1) ?? root;
    if (token.nesting > 0) {
      // Beyond the limit the frame shares its parent's children, so closing it adds nothing.
      const children = stack.length + depth > MAX_DEPTH ? top.children : [];
      stack.push({ open: token, children });
    } else if (token.nesting < 0) {
      if (stack.length > 1) stack.pop();
      closeFrame(top, stack.at(-1) ?? root);
    } else {
      addLeaf(top.children, token, depth + stack.length);
    }
  }
  return root.children;
}

function closeFrame(frame: Frame, parent: Frame): void {
  if (frame.open === undefined || frame.children === parent.children) return;
  if (frame.open.type === 'link_open') {
    parent.children.push({
      type: 'link',
      url: String(frame.open.attrGet('href') ?? ''),
      children: frame.children,
    });
    return;
  }
  const type = MARKS[frame.open.type];
  if (type === undefined) parent.children.push(...frame.children);
  else if (frame.children.length > 0) parent.children.push({ type, children: frame.children });
}

function addLeaf(into: Inline[], token: Token, depth: number): void {
  switch (token.type) {
    case 'softbreak':
    case 'hardbreak':
      into.push({ type: 'break' });
      return;
    case 'code_inline':
      if (token.content !== '') into.push({ type: 'code', text: token.content });
      return;
    case 'image': {
      const children = depth > MAX_DEPTH ? [] : buildInlines(token.children ?? [], depth);
      into.push({ type: 'image', url: String(token.attrGet('src') ?? ''), children });
      return;
    }
    default:
      addText(into, token.content);
  }
}

/** Character references (`&#10;`) and tags can hold line ends. */
function addText(into: Inline[], content: string): void {
  const lines = content.replace(/\r\n?/g, '\n').split('\n');
  for (const [index, line] of lines.entries()) {
    if (index > 0) into.push({ type: 'break' });
    if (line !== '') into.push({ type: 'text', text: line });
  }
}

/** Drops line ends and blank text at both ends, which no platform shows. */
export function trimInlines(inlines: readonly Inline[]): readonly Inline[] {
  let start = 0;
  let end = inlines.length;
  while (start < end && isBlank(inlines[start])) start += 1;
  while (end > start && isBlank(inlines[end - 1])) end -= 1;
  return start === 0 && end === inlines.length ? inlines : inlines.slice(start, end);
}

function isBlank(inline: Inline | undefined): boolean {
  return inline?.type === 'break' || (inline?.type === 'text' && inline.text.trim() === '');
}
