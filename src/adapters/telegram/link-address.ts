/**
 * Whether Telegram keeps this address behind a label. It drops the entity otherwise, without a word, and the
 * address with it: other schemes (a `mailto:` becomes a broken web address), hosts without a dot such as
 * `localhost`, malformed ports.
 */
export function isLinkable(url: string): boolean {
  if (url.length > MAX_URL_UNITS || /\s/.test(url)) return false;
  const [, scheme = '', authority = ''] = ADDRESS.exec(url) ?? [];
  if (scheme.toLowerCase() === 'tg') return /^[\w-]+$/.test(authority);
  const [, host = '', port = '443'] = HOST.exec(authority) ?? [];
  return /[^.]\.[^.]/.test(host) && Number(port) > 0 && Number(port) <= 65_535;
}

/** Beyond this, browsers and servers refuse addresses too. */
const MAX_URL_UNITS = 2048;
const ADDRESS = /^(https?|tg):\/\/([^/?#]*)/i;
/** The symbols that Telegram takes in a host; anything beyond ASCII counts as a letter. */
const HOST = /^(?:[^@]*@)?((?:[a-z\d._!$,~*'();&+=-]|%[\da-f]{2}|[\u0080-\uffff])+)(?::(\d{1,5}))?$/i;
