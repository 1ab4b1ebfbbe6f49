import { setMaxListeners } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { toCorrelationId } from '../../../src/core/ids.js';
import { createAttach } from '../../../src/gateway/media/attach.js';
import { createMediaStore } from '../../../src/host/media-store.js';
import { MemoryLogger } from '../../fakes/memory-logger.js';
import { ScriptedVoice } from '../../fakes/scripted-voice.js';
import { propertyRuns, propertySeed } from '../../setup/property-runs.js';
import { createRandom } from './random-reply.js';

const correlation = toCorrelationId('c1');

const create = () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-attach-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const home = join(base, 'home');
  const workspace = join(home, 'workspace');
  mkdirSync(join(workspace, 'sub dir'), { recursive: true });
  const media = createMediaStore({
    home,
    workspace,
    allowDirs: [],
    fetch: () => Promise.reject(new Error('nothing is fetched here')),
  });
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const attach = createAttach({ media, voice: new ScriptedVoice(), logger: new MemoryLogger(), signal });
  return { base, home, workspace, attach: (text: string) => attach(text, { correlation }) };
};

test('files follow the text in their order, each in the form that its kind asks for', async () => {
  const { workspace, attach } = create();
  const names = ['a.svg', 'b.txt', 'c.png'];
  for (const name of names)
    writeFileSync(join(workspace, name), name === 'c.png' ? '\x89PNG\r\n\x1a\n' : 'text');
  writeFileSync(join(workspace, 'c.png'), Buffer.from('89504e470d0a1a0a', 'hex'));
  const { parts, problems } = await attach(
    `Here\n${names.map((name) => `MEDIA:${workspace}/${name}`).join('\n')}`,
  );
  expect(problems).toEqual([]);
  expect(parts.map((part) => (part.type === 'text' ? part.text : [part.kind, part.file.fileName]))).toEqual([
    'Here',
    ['file', 'a.svg'],
    ['file', 'b.txt'],
    ['image', 'c.png'],
  ]);
});

test('no more than twenty files are attached, and the rest is told', async () => {
  const { workspace, attach } = create();
  const lines = Array.from({ length: 25 }, (_, index) => {
    writeFileSync(join(workspace, `${index}.txt`), 'text');
    return `MEDIA:${workspace}/${index}.txt`;
  });
  const { parts, problems } = await attach(lines.join('\n'));
  expect(parts.filter(({ type }) => type === 'media')).toHaveLength(20);
  expect(problems).toEqual(['Only the first 20 files are attached.']);
});

test('whatever a reply names, nothing from outside the allowed folders is ever opened', async () => {
  const { base, home, workspace, attach } = create();
  const secret = 'SECRET-BYTES';
  writeFileSync(join(base, 'secret.env'), secret);
  writeFileSync(join(base, 'photo.png'), secret);
  writeFileSync(join(home, 'config.yaml'), secret);
  writeFileSync(join(home, 'state.db'), secret);
  writeFileSync(join(workspace, '.env'), secret);
  for (const name of ['a.png', 'b c.md', 'sub dir/d.txt']) writeFileSync(join(workspace, name), 'open');
  symlinkSync(base, join(workspace, 'up'));
  symlinkSync(join(base, 'secret.env'), join(workspace, 'link.png'));
  symlinkSync(join(workspace, 'a.png'), join(workspace, 'good.png'));
  const count = propertyRuns(500);
  const random = createRandom(propertySeed(20_260_101));
  let attached = 0;
  for (let index = 0; index < count; index += 1) {
    const reply = random.reply({ base, home, workspace });
    for (const part of (await attach(reply)).parts) {
      if (part.type === 'text') continue;
      attached += 1;
      expect([reply, readFileSync(part.file.path, 'utf8')]).toEqual([reply, 'open']);
    }
  }
  expect(attached).toBeGreaterThan(count / 50);
});
