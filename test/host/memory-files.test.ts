import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMemoryFiles } from '../../src/host/index.js';

const aMemory = async () => {
  const base = await mkdtemp(join(tmpdir(), 'hermes-memory-'));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const folder = join(base, 'memories');
  const redact = (text: string): string => text.replaceAll('s3cret', '***');
  return { folder, memory: createMemoryFiles({ folder, redact }) };
};

describe('what is kept for good', () => {
  test('is added, replaced and removed, in a file that people can read', async () => {
    const { folder, memory } = await aMemory();
    expect(await memory.entries('notes')).toEqual([]);
    await memory.change('notes', { kind: 'add', text: 'The router is in the cellar.' });
    await memory.change('notes', { kind: 'add', text: 'Mails in German.' });
    expect(await readFile(join(folder, 'MEMORY.md'), 'utf8')).toBe(
      'The router is in the cellar.\n§\nMails in German.\n',
    );
    expect((await stat(join(folder, 'MEMORY.md'))).mode & 0o777).toBe(0o600);
    await memory.change('notes', { kind: 'replace', old: 'cellar', text: 'The router is in the attic.' });
    expect(await memory.change('notes', { kind: 'remove', old: 'German' })).toEqual([
      'The router is in the attic.',
    ]);
    expect(await memory.entries('user')).toEqual([]);
  });

  test('keeps both of two changes at once, and what an operator wrote meanwhile', async () => {
    const { folder, memory } = await aMemory();
    await Promise.all(['one', 'two', 'three'].map((text) => memory.change('user', { kind: 'add', text })));
    await writeFile(join(folder, 'USER.md'), 'one\n§\n\n§\nby hand\n');
    expect(await memory.change('user', { kind: 'add', text: 'four' })).toEqual(['one', 'by hand', 'four']);
  });

  test('is bounded, and grows no further by a change; what is too long can be shortened', async () => {
    const { folder, memory } = await aMemory();
    await memory.change('user', { kind: 'add', text: 'x'.repeat(1_300) });
    await expect(memory.change('user', { kind: 'add', text: 'y'.repeat(73) })).rejects.toThrow(
      '1376 characters of 1375',
    );
    await memory.change('user', { kind: 'add', text: 'y'.repeat(72) });
    await writeFile(join(folder, 'USER.md'), `${'z'.repeat(2_000)}\n§\nshort\n`);
    expect(await memory.change('user', { kind: 'remove', old: 'short' })).toHaveLength(1);
  });

  test.each([
    [{ kind: 'add', text: '  \n§\n ' }, 'needs words'],
    [{ kind: 'add', text: 'the key is s3cret' }, 'password or key'],
    [{ kind: 'add', text: 'one bee' }, 'kept already'],
    [{ kind: 'replace', old: 'bee', text: 'x' }, '2 entries'],
    [{ kind: 'remove', old: 'wasp' }, 'No entry'],
    [{ kind: 'remove', old: '' }, 'No entry'],
  ] as const)('is not changed by %o', async (change, problem) => {
    const { memory } = await aMemory();
    await memory.change('notes', { kind: 'add', text: 'one bee' });
    await memory.change('notes', { kind: 'add', text: 'two bees' });
    await expect(memory.change('notes', change)).rejects.toThrow(problem);
    expect(await memory.entries('notes')).toEqual(['one bee', 'two bees']);
  });

  test('makes no two entries of one, and hides nothing in one', async () => {
    const { memory } = await aMemory();
    await memory.change('notes', { kind: 'add', text: 'a\n§\nb\u202E\u{E0041}\u0007' });
    expect(await memory.entries('notes')).toEqual(['a\nb']);
  });
});
