/** Kills while somebody listens and while somebody speaks: programs of the host that wait until they are let go. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { text } from '../emulators/openai/control.js';
import { hasPrograms, record, say, temporaryFolder, until } from '../voice/voice-bed.js';
import { createProcessWorld, person } from './process-world.js';

const words = 'turn on the light';
const answer = 'the light is on';

type Program = 'listening' | 'speaking';

/** Says that it runs, waits until it is let go (or all is over), then does its work. */
const waiting = (folder: string, name: Program, work: string): readonly string[] => {
  const script = join(folder, `${name}.sh`);
  const wait = `while [ -d '${folder}' ] && [ ! -e '${folder}/${name}-go' ]; do sleep 0.05; done`;
  writeFileSync(script, `echo run >> '${folder}/${name}'\n${wait}\n${work}\n`);
  return ['sh', script];
};

const createVoiceWorld = async () => {
  const folder = await temporaryFolder();
  const listen = waiting(folder, 'listening', `echo '${words}'`);
  const speak = waiting(folder, 'speaking', 'espeak-ng -f "$1" -w "$2"');
  const world = await createProcessWorld({
    stt: { provider: 'local', local: { command: [...listen, '{audio}'] } },
    tts: { provider: 'local', mode: 'on', local: { command: [...speak, '{text_file}', '{output}'] } },
  });
  const { telegram, model, home } = world;
  await model.always({}, text(answer));
  const bytes = readFileSync(
    record(folder, 'note.ogg', ['-i', say(folder, 'note.wav', words)], ['-c:a', 'libopus', '-ac', '1']),
  );
  const bubbles = () => telegram.calls({ method: 'sendVoice', ok: true });
  return {
    ...world,
    bubbles,
    say: async () => {
      const { fileId } = await telegram.addFile({ bytes, mimeType: 'audio/ogg' });
      const voice = { file_id: fileId, file_unique_id: 'u', mime_type: 'audio/ogg', file_size: bytes.length };
      await telegram.pushUpdate({
        kind: 'message',
        userId: person,
        fields: { voice: { ...voice, duration: 2 } },
      });
    },
    /** How often the program was started. */
    runs: (name: Program): number => {
      const path = join(folder, name);
      return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').length : 0;
    },
    letGo: (name: Program) => writeFileSync(join(folder, `${name}-go`), ''),
    expectOneAnswer: async () => {
      await expect.poll(async () => (await bubbles()).length, { timeout: 20_000 }).toBe(1);
      const texts = await telegram.botTexts(person);
      expect(texts.filter((one) => one.includes(answer))).toHaveLength(1);
      const requests = await model.requests();
      expect(requests.map(({ lastUserText }) => lastUserText)).toEqual([expect.stringContaining(words)]);
      await expect.poll(() => readdirSync(join(home.path, 'cache/voice'))).toEqual([]);
    },
  };
};

describe.skipIf(!hasPrograms)('voice', () => {
  test('a kill while a recording is heard loses nothing: it is heard again and answered once', async () => {
    const { start, say: speakUp, runs, letGo, model, expectOneAnswer } = await createVoiceWorld();
    const first = await start();
    await speakUp();
    await until(() => runs('listening') === 1);
    first.kill('SIGKILL');
    await first.exited;
    expect(await model.requests()).toEqual([]);
    letGo('listening');
    letGo('speaking');
    await start();
    await expectOneAnswer();
    expect(runs('listening')).toBe(2);
  }, 60_000);

  test('a kill while an answer is spoken speaks it again, and does not write it twice', async () => {
    const { start, say: speakUp, runs, letGo, bubbles, telegram, expectOneAnswer } = await createVoiceWorld();
    letGo('listening');
    const first = await start();
    await speakUp();
    await telegram.waitForMessage(person, answer);
    await until(() => runs('speaking') === 1);
    first.kill('SIGKILL');
    await first.exited;
    expect(await bubbles()).toEqual([]);
    letGo('speaking');
    await start();
    await expectOneAnswer();
    expect(runs('listening')).toBe(1);
    expect(runs('speaking')).toBe(2);
  }, 60_000);
});
