import type { AdapterPorts, PlatformDefinition } from '../../core/platform-definition.js';
import { type WebSection, webSection } from './config.js';
import type { WebFace } from './face.js';
import { owner, parseSession, platformId } from './ids.js';

export { type WebSection, webSection } from './config.js';
export type { WebFace } from './face.js';
export type { Listener } from './listen.js';
export { createShownLog } from './shown-log.js';

/**
 * Builds the page's adapter together with the means to serve the same app on the unix socket. The socket is served
 * also where the platform is off, so whoever composes the gateway builds one of these and takes the adapter from it.
 * Nothing listens yet.
 */
export const createWebFace = async (section: WebSection, ports: AdapterPorts): Promise<WebFace> => {
  const { buildFace } = await import('./face.js');
  return buildFace(section, ports);
};

export const web: PlatformDefinition<WebSection> = {
  id: platformId,
  title: 'Web',
  section: webSection,
  environment: {},
  secretKeys: ['token'],
  isEnabled: ({ enabled }) => enabled !== false,
  access: () => ({ users: [owner], owners: [owner], chats: [] }),
  parseAddress: (name) => {
    const chat = parseSession(name);
    return chat === undefined ? undefined : { chat };
  },
  connectHint: [
    'The chat page needs no account: with the gateway running, open http://127.0.0.1:8642/ in a browser on this host.',
    'To reach it from other hosts, write to config.yaml:',
    '  platforms: {web: {host: 0.0.0.0, token: "…"}}   # `openssl rand -hex 24` makes a good token',
  ].join('\n'),
  listensAt: ({ host, port }) => ({ host, port, setting: 'port' }),
  create: async (section, ports) => (await createWebFace(section, ports)).adapter,
};
