/** How the server ends a connection. */
import type { Link } from './link.js';
import { type BinaryNode, node } from './nodes.js';
import type { Ending } from './protocol.js';

const streamErrors: Partial<Record<Ending, BinaryNode>> = {
  restart: node('stream:error', { code: '515' }),
  conflict: node('stream:error', {}, [node('conflict', { type: 'replaced' })]),
  revoked: node('stream:error', { code: '401' }, [node('conflict', { type: 'device_removed' })]),
  unavailable: node('stream:error', { code: '503' }),
};

export function endLink(link: Link, ending: Ending): void {
  if (ending === 'cut') {
    link.terminate();
    return;
  }
  link.send(streamErrors[ending] ?? node('xmlstreamend'));
  link.close();
}

export function endWithCode(link: Link, code: number): void {
  link.send(node('stream:error', { code: String(code) }));
  link.close();
}

/** Instead of `success`: 401 and 403 for good, 503 and the like for now. */
export function refuseLogin(link: Link, reason: number): void {
  link.send(node('failure', { reason: String(reason), location: 'emu' }));
  link.close();
}
