/**
 * What Telegram takes as the target of a link. It is laxer and stricter than the URL standard: any word with a dot is
 * a host (`notes.md` becomes `http://notes.md/`), while `localhost`, a bare path or `#part` is refused.
 */

export type CheckedLink =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly reason: string };

const refuse = (reason: string): CheckedLink => ({ ok: false, reason });

/** Gives the link as the server stores it: protocol and host in lower case, at least `/` after the host. */
export function checkLink(link: string): CheckedLink {
  const own = /^(tg|ton|tonsite):(?:\/\/)?/i.exec(link);
  if (own?.[1] !== undefined) return checkOwnLink(own[1].toLowerCase(), link.slice(own[0].length));
  const colon = link.indexOf(':');
  const hasProtocol = colon >= 0 && link.startsWith('://', colon);
  const protocol = hasProtocol ? link.slice(0, colon).toLowerCase() : 'http';
  if (protocol !== 'http' && protocol !== 'https') return refuse('Unsupported URL protocol');
  const rest = hasProtocol ? link.slice(colon + 3) : link;
  const authorityEnd = rest.search(/[/?#]/);
  const authority = authorityEnd < 0 ? rest : rest.slice(0, authorityEnd);
  const tail = authorityEnd < 0 ? '' : rest.slice(authorityEnd);
  const at = authority.lastIndexOf('@');
  const userInfo = at < 0 ? '' : authority.slice(0, at + 1);
  const split = splitPort(authority.slice(at + 1));
  if (split === undefined) return refuse('Wrong port number specified in the URL');
  const host = split.host.toLowerCase();
  if (host === '') return refuse('URL host is empty');
  if (host === '.') return refuse('Host is invalid');
  const isIpv6 = host.startsWith('[') && host.endsWith(']');
  // Bytes above ASCII are let through: hosts may be written in any script.
  if (!isIpv6 && /[\0- "#/<>?@[\\\]^`{|}\x7f]/.test(host)) return refuse('Disallowed character in URL host');
  if (!isIpv6 && !host.includes('.')) return refuse('Wrong HTTP URL');
  return { ok: true, url: `${protocol}://${userInfo}${host}${split.port}${storedTail(tail)}` };
}

function checkOwnLink(protocol: string, rest: string): CheckedLink {
  const hostEnd = rest.search(/[/?#]/);
  const host = (hostEnd < 0 ? rest : rest.slice(0, hostEnd)).toLowerCase();
  if (host === '') return refuse('URL host is empty');
  if (!/^[a-z0-9_.-]+$/.test(host) || (protocol !== 'tonsite' && host.includes('.'))) {
    return refuse('Unallowed characters in URL host');
  }
  const tail = hostEnd < 0 ? '/' : rest.slice(hostEnd);
  return { ok: true, url: `${protocol}://${host}${tail}` };
}

function splitPort(hostAndPort: string): { host: string; port: string } | undefined {
  const match = /^(.*):(\d*)$/s.exec(hostAndPort);
  if (match === null || hostAndPort.endsWith(']')) return { host: hostAndPort, port: '' };
  const port = Number(match[2]);
  if (match[2] === '' || port < 1 || port > 65_535) return undefined;
  return { host: match[1] ?? '', port: `:${port}` };
}

function storedTail(tail: string): string {
  const trimmed = tail.replace(/ +$/, '');
  const rooted = trimmed.startsWith('/') ? trimmed : `/${trimmed}`;
  return rooted.replace(/[\0- ]/g, (character) => encodeURIComponent(character));
}

/** The user of a `tg://user?id=…` link. */
export function linkUserId(link: string): number | undefined {
  const match = /^tg:(?:\/\/)?user\/?\?(?:.*&)?id=(\d+)/i.exec(link);
  return match === null ? undefined : Number(match[1]);
}
