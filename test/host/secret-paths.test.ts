import { describe, expect, test } from 'vitest';
import { isSecretPath } from '../../src/host/secret-paths.js';

const places = { home: '/home/u/.hermes', root: '/home/u/work' };
const isSecret = (name: string): boolean => isSecretPath(`/home/u/work/${name}`, places);

describe('a file', () => {
  test.each([
    '.env',
    '.env~',
    '.env.bak',
    '.env.swp',
    '#.env#',
    '.#.env',
    '.envrc',
    '.env.production',
    'prod.env',
    'prod.env.old',
    '.prod.env.swp',
    'server.pem',
    'server.pem.bak',
    'id_ed25519',
    'id_ed25519~',
    '.netrc',
    '_netrc/../.netrc',
    '.npmrc',
    '.pgpass',
    '.git-credentials',
    'passwords.kdbx',
    'credentials.json',
    'service-account.json',
    'secrets.yaml',
    '.aws/credentials',
    'deep/.ssh/config',
    'state.db',
    'state.db-wal',
    'gateway.db',
    'gateway.sock',
    '.bash_history',
  ])('like %s is a secret', (name) => {
    expect(isSecret(name)).toBe(true);
  });

  test.each([
    'environment.md',
    '.env.example',
    '.env.sample',
    'keyboard.txt',
    'monkey.png',
    'authors.md',
    'notes.txt~',
    'my.envelope',
    'env',
    'database.db',
    'state.dart',
    'identity.md',
  ])('like %s is none', (name) => {
    expect(isSecret(name)).toBe(false);
  });
});
