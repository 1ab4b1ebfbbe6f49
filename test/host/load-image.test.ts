import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createImageLoader } from '../../src/host/load-image.js';

const aCache = () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-images-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const cache = join(base, 'cache');
  mkdirSync(join(cache, 'images'), { recursive: true });
  writeFileSync(join(base, 'outside.png'), 'secret');
  const load = createImageLoader(cache);
  const fileAt = (path: string) => ({ path, fileName: 'a.png', mimeType: 'image/png', sizeBytes: 1 });
  return { base, cache, bytesOf: (path: string, maxBytes = 100) => load(fileAt(path), { maxBytes }) };
};

test('a picture of our own folder is read whole', async () => {
  const { cache, bytesOf } = aCache();
  writeFileSync(join(cache, 'images', 'a.png'), 'bytes');
  expect(Buffer.from((await bytesOf(join(cache, 'images', 'a.png'))) ?? []).toString()).toBe('bytes');
});

test('nothing is read that is gone, too large, elsewhere, a link or a folder', async () => {
  const { base, cache, bytesOf } = aCache();
  writeFileSync(join(cache, 'large.png'), 'x'.repeat(101));
  symlinkSync(join(base, 'outside.png'), join(cache, 'link.png'));
  symlinkSync(base, join(cache, 'out'));
  for (const path of ['gone.png', 'large.png', 'link.png', 'images', '../outside.png', 'out/outside.png'])
    expect(await bytesOf(join(cache, path)), path).toBeUndefined();
});
