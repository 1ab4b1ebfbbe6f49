/** What the server finds by itself in plain text: links, addresses, mentions, commands and tags. */
import { type Entity, sortEntities } from './entity.js';

// A short list is enough here: a bare domain counts only under a domain ending that exists.
const DOMAIN_ENDINGS =
  'com|org|net|edu|gov|info|biz|io|ai|app|dev|me|tv|co|uk|de|fr|es|it|nl|eu|ru|ua|ch|at|pl|se|no|fi|jp|cn|kr|in|br|au|ca|us|ly|gg|so|to|sh|md|rs|py|zip|mov|cloud|tech|online|site|store|wiki|blog|page|link|xyz|рф|中国';

const MENTION = /(?<![\p{L}\p{N}_])@[A-Za-z0-9_]{4,32}(?![\p{L}\p{N}_])/gu;
const COMMAND = /(?<![\p{L}\p{N}_/<>])\/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\p{L}\p{N}_/<>@])/gu;
const HASHTAG = /(?<![\p{L}\p{Nd}_·])#(?=[\p{Nd}_·]*\p{L})[\p{L}\p{Nd}_·]{1,256}(?![\p{L}\p{Nd}_·#])/gu;
const CASHTAG = /(?<![$\p{L}\p{N}_])\$(?:1INCH|[A-Z]{1,8})(?![$\p{L}\p{N}_])/gu;
const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}(?![\w-])/g;
const URL_WITH_PROTOCOL =
  /(?<![\p{L}\p{N}_])(?:https?|ftp):\/\/[^\s/?#<>"]*\.[^\s/?#<>"]+(?:[/?#][^\s<>"]*)?/giu;
const OWN_URL = /(?<![\p{L}\p{N}_])(?:tg|ton|tonsite):\/\/[^\s<>"]+/giu;
const BARE_URL = new RegExp(
  `(?<![\\p{L}\\p{N}_@.:/-])(?:[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?\\.)+(?:${DOMAIN_ENDINGS})(?![\\p{L}\\p{N}_-])(?::\\d{1,5})?(?:[/?#][^\\s<>"]*)?`,
  'giu',
);

/** Sorted and apart from one another. */
export function findEntities(text: string): Entity[] {
  const found: Entity[] = [];
  if (text.includes('@')) {
    collect(found, text, EMAIL, 'email');
    collect(found, text, MENTION, 'mention');
  }
  if (text.includes('/')) collect(found, text, COMMAND, 'bot_command');
  if (text.includes('#')) collect(found, text, HASHTAG, 'hashtag');
  if (text.includes('$')) collect(found, text, CASHTAG, 'cashtag');
  if (text.includes('://')) {
    collect(found, text, URL_WITH_PROTOCOL, 'url');
    collect(found, text, OWN_URL, 'url');
  }
  if (text.includes('.')) collect(found, text, BARE_URL, 'url');
  return keepFirst(sortEntities(found));
}

function collect(found: Entity[], text: string, pattern: RegExp, type: string): void {
  for (const match of text.matchAll(pattern)) {
    const value = type === 'url' ? withoutTrailingPunctuation(match[0]) : match[0];
    if (value.length > 0) found.push({ type, offset: match.index, length: value.length });
  }
}

function withoutTrailingPunctuation(url: string): string {
  let value = url.replace(/[.,:;!?'"`»“”‘’*_~…]+$/u, '');
  while (value.endsWith(')') && count(value, ')') > count(value, '(')) {
    value = value.slice(0, -1).replace(/[.,:;!?'"`]+$/, '');
  }
  return value;
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

function keepFirst(sorted: readonly Entity[]): Entity[] {
  const kept: Entity[] = [];
  let end = 0;
  for (const entity of sorted) {
    if (entity.offset < end) continue;
    kept.push(entity);
    end = entity.offset + entity.length;
  }
  return kept;
}
