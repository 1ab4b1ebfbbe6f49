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
    'my prod.env',
    'a.b.env',
    '.env-prod',
    '.env_local',
    '.env copy',
    'id_rsa (1)',
    '.id_ed25519.swp',
    '.credentials.json.swp',
    '.config/gcloud/anything.json',
    'application_default_credentials.json',
    'accessKeys.csv',
    '.s3cfg',
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
    '.environment',
    'env.ts',
    '.env-example',
    'credentials-guide.md',
    'copy.txt',
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
