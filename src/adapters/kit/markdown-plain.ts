import { flattenMarkdown } from './markdown-flatten.js';
import { parseMarkdown } from './markdown-parse.js';

/**
 * Markdown as text to read: no marks or escapes, `label (address)` for links, tables in columns. For platforms
 * without formatting, for speech, and for a send that was refused because of its formatting.
 */
export function toPlainText(markdown: string): string {
  return flattenMarkdown(parseMarkdown(markdown), { canLink: () => false }).text.trimEnd();
}
