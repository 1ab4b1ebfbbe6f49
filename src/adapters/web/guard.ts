/**
 * Keeps other web pages out. A page in the owner's browser can send requests here; what gives it away is the name it
 * used (Host: it had its own name lead here) or the page it is (Origin, Sec-Fetch-Site: browsers set these themselves).
 */
import { isIP } from 'node:net';
import type { WebSection } from './config.js';
import { isLoopback } from './config.js';
import type { HttpProblem } from './http-problem.js';

export interface RequestFacts {
  readonly method: string;
  readonly path: string;
  readonly header: (name: string) => string | undefined;
  /** The port the request came in on. */
  readonly localPort: number | undefined;
}

const forbidden = (message: string): HttpProblem => ({ status: 403, code: 'forbidden', message });

const parseHost = (host: string): URL | undefined =>
  /^[\w.:[\]-]+$/u.test(host) && URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;

const isOurHost = (host: URL, section: WebSection, localPort: number | undefined): boolean => {
  const name = host.hostname.replace(/^\[(.*)\]$/u, '$1');
  if (section.token === undefined) return isLoopback(name) && Number(host.port || 80) === localPort;
  // With a token an address is harmless: a foreign page cannot make a number lead somewhere else.
  if (isIP(name) !== 0 || isLoopback(name) || name === section.host) return true;
  return section.allowed_hosts.some((allowed) => allowed === host.host || allowed === host.hostname);
};

const hostAdvice = ({ token }: WebSection): string =>
  token === undefined
    ? 'Open the page by http://127.0.0.1 or http://localhost and the port in the settings.'
    : 'If this name is yours, add it to platforms.web.allowed_hosts.';

const isOwnOrigin = (origin: string, host: string): boolean => {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: originHost } = new URL(origin);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  // Through a proxy the page is https and we are not, so default ports are compared by the page's protocol.
  return URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === originHost;
};

/** A link elsewhere may lead to the page, which holds nothing by itself. */
const isLinkToPage = ({ method, path, header }: RequestFacts): boolean =>
  method === 'GET' &&
  path === '/' &&
  header('sec-fetch-mode') === 'navigate' &&
  header('sec-fetch-dest') === 'document';

/** Undefined if the request may go on. */
export const checkSource = (facts: RequestFacts, section: WebSection): HttpProblem | undefined => {
  const host = facts.header('host') ?? '';
  const url = parseHost(host);
  if (url === undefined || !isOurHost(url, section, facts.localPort))
    return forbidden(`This gateway does not answer to the name '${host}'. ${hostAdvice(section)}`);
  const origin = facts.header('origin');
  if (origin !== undefined && !isOwnOrigin(origin, host))
    return forbidden('Requests of other web pages are refused.');
  const site = facts.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isLinkToPage(facts))
    return forbidden('Requests of other web pages are refused.');
  return undefined;
};
