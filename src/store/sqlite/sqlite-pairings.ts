import { type PlatformId, toPlatformId, toUserId } from '../../core/ids.js';
import type { Pairing, PairingRequest, PairingStore } from '../../core/pairing.js';
import { toJson } from '../json-text.js';
import type { SqliteContext } from './context.js';
import type { Connection, Row } from './driver.js';
import { createRowReader, readInteger, readJson, readText } from './row-reader.js';
import { route } from './stored-shapes.js';

const toRequest = (row: Row): PairingRequest => ({
  platform: toPlatformId(readText(row, 'platform')),
  user: toUserId(readText(row, 'user')),
  displayName: readText(row, 'display_name'),
  route: readJson(row, 'route', route),
  codeHash: readText(row, 'code_hash'),
  requestedAt: readInteger(row, 'requested_at'),
  expiresAt: readInteger(row, 'expires_at'),
});

const toPairing = (row: Row): Pairing => ({
  platform: toPlatformId(readText(row, 'platform')),
  user: toUserId(readText(row, 'user')),
  displayName: readText(row, 'display_name'),
  approvedAt: readInteger(row, 'approved_at'),
});

const prepareStatements = ({ prepare }: Connection) => ({
  isPaired: prepare('SELECT 1 FROM pairings WHERE platform = ? AND user = ?'),
  hasAsked: prepare(
    'SELECT 1 FROM pairing_requests WHERE platform = ? AND user = ? AND (expires_at > ? OR requested_at > ?)',
  ),
  countPending: prepare(
    'SELECT count(*) AS pending FROM pairing_requests WHERE platform = ? AND expires_at > ?',
  ),
  insertRequest: prepare(
    `INSERT OR REPLACE INTO pairing_requests
       (platform, user, display_name, route, code_hash, requested_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ),
  selectPending: prepare('SELECT * FROM pairing_requests WHERE expires_at > ? ORDER BY requested_at, rowid'),
  takeRequest: prepare(
    `DELETE FROM pairing_requests WHERE platform = ?1 AND user = ?2 AND code_hash = ?3 AND expires_at > ?4
       AND NOT EXISTS (SELECT 1 FROM pairing_failures WHERE platform = ?1 AND locked_until > ?4)
     RETURNING display_name`,
  ),
  insertPairing: prepare(
    `INSERT OR REPLACE INTO pairings (platform, user, display_name, approved_at) VALUES (?, ?, ?, ?) RETURNING *`,
  ),
  selectFailures: prepare(
    'SELECT failures, failed_at, locked_until FROM pairing_failures WHERE platform = ?',
  ),
  saveFailures: prepare(
    'INSERT OR REPLACE INTO pairing_failures (platform, failures, failed_at, locked_until) VALUES (?, ?, ?, ?)',
  ),
  forgetFailures: prepare('DELETE FROM pairing_failures WHERE platform = ?'),
  selectPairings: prepare('SELECT * FROM pairings ORDER BY approved_at, rowid'),
  revoke: prepare('DELETE FROM pairings WHERE platform = ? AND user = ?'),
});

export const createSqlitePairings = ({ connection, logger }: SqliteContext): PairingStore => {
  const requests = createRowReader('pairing_requests', logger);
  const pairings = createRowReader('pairings', logger);
  const statements = prepareStatements(connection);

  const lockedUntil = (platform: PlatformId, now: number): number | undefined => {
    const row = statements.selectFailures.get(platform);
    const until = row === undefined ? 0 : readInteger(row, 'locked_until');
    return until > now ? until : undefined;
  };
  const failuresBefore = (platform: PlatformId, now: number, lockoutMs: number): number => {
    const row = statements.selectFailures.get(platform);
    if (row === undefined) return 0;
    const counts = readInteger(row, 'locked_until') === 0 && readInteger(row, 'failed_at') + lockoutMs > now;
    return counts ? readInteger(row, 'failures') : 0;
  };

  return {
    request: async (request, { maxPending, minIntervalMs }) =>
      connection.transaction(() => {
        const { platform, user, displayName, codeHash, requestedAt: now, expiresAt } = request;
        if (statements.isPaired.get(platform, user) !== undefined) return 'paired';
        if (statements.hasAsked.get(platform, user, now, now - minIntervalMs) !== undefined) return 'asked';
        const row = statements.countPending.get(platform, now);
        if (row !== undefined && readInteger(row, 'pending') >= maxPending) return 'full';
        const where = toJson(request.route);
        statements.insertRequest.run(platform, user, displayName, where, codeHash, now, expiresAt);
        return 'kept';
      }),
    pending: async (now) => requests.many(statements.selectPending.all(now), 'user', toRequest),
    claim: async ({ platform, user, codeHash }, now) =>
      connection.transaction(() => {
        const taken = statements.takeRequest.get(platform, user, codeHash, now);
        if (taken === undefined) return undefined;
        statements.forgetFailures.run(platform);
        const row = statements.insertPairing.get(platform, user, readText(taken, 'display_name'), now);
        return pairings.one(row ?? {}, 'user', toPairing);
      }),
    countFailure: async (platform, now, { maxAttempts, lockoutMs }) =>
      connection.transaction(() => {
        const failures = failuresBefore(platform, now, lockoutMs) + 1;
        const until = failures >= maxAttempts ? now + lockoutMs : 0;
        statements.saveFailures.run(platform, failures, now, until);
        return until === 0 ? undefined : until;
      }),
    lockedUntil: async (platform, now) => lockedUntil(platform, now),
    paired: async () => pairings.many(statements.selectPairings.all(), 'user', toPairing),
    revoke: async (platform, user) => statements.revoke.run(platform, user) > 0,
  };
};
