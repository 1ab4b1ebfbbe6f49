/** Names in a text of ours that notify the people they name, where the operator allows it. Pure. */
import type { Places } from './places.js';
import { CODE } from './readable.js';

/** One word, or two: longer names are written by their tag. */
const NAME = /(?<![\p{L}\p{N}_@<`])@([\p{L}\p{N}_.-]+(?:[ ][\p{L}\p{N}_.-]+)?)/gu;

/** Only a name that one person alone is known by becomes a mention; text in code stays as it is. */
export const linkPeople = (markdown: string, places: Places): string =>
  markdown
    .split(CODE)
    .map((piece, index) => (index % 2 === 1 ? piece : linkIn(piece, places)))
    .join('');

const linkIn = (text: string, places: Places): string =>
  text.replaceAll(NAME, (whole: string, name: string) => {
    const both = places.personNamed(name.replace(/[.]$/u, ''));
    if (both !== undefined) return `<@${both}>${name.endsWith('.') ? '.' : ''}`;
    const first = name.split(' ', 1)[0] ?? '';
    const bare = first.replace(/[.]+$/u, '');
    const one = places.personNamed(bare);
    return one === undefined ? whole : `<@${one}>${whole.slice(1 + bare.length)}`;
  });
