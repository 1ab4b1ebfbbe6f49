import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSpillFiles } from '../../src/host/spill-files.js';

const aFolder = (): string => {
  const base = mkdtempSync(join(tmpdir(), 'hermes-spill-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  return join(base, 'documents');
};

test('a text is kept whole, for this user only', async () => {
  const folder = aFolder();
  const text = '🙂\n'.repeat(100_000);
  const path = await createSpillFiles(folder)(text, 'turn-1-call-1-look');
  expect(dirname(path)).toBe(folder);
  expect(readFileSync(path, 'utf8')).toBe(text);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('the same name again replaces the file and its mode', async () => {
  const keep = createSpillFiles(aFolder());
  const path = await keep('long before', 'same');
  chmodSync(path, 0o644);
  expect(await keep('now', 'same')).toBe(path);
  expect(readFileSync(path, 'utf8')).toBe('now');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a name leads nowhere else', async () => {
  const folder = aFolder();
  expect(dirname(await createSpillFiles(folder)('x', '../../etc/passwd'))).toBe(folder);
});
