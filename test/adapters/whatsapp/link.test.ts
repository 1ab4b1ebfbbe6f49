import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { LinkingFacet, LinkState } from '../../../src/core/linking.js';
import { ann, bot, createBed, type WhatsAppBed } from './harness.js';

let bed: WhatsAppBed;
afterEach(() => bed.dispose());

const linkingOf = ({ adapter: { linking } }: WhatsAppBed): LinkingFacet => {
  if (linking === undefined) throw new Error('it cannot be linked');
  return linking;
};

/** Asks as the command line does, until the answer is what is waited for. */
const until = async (
  { control, clock }: WhatsAppBed,
  linking: LinkingFacet,
  check: (state: LinkState) => boolean,
): Promise<LinkState> => {
  for (;;) {
    const state = linking.state();
    if (check(state)) return state;
    if (state.state === 'failed') throw new Error(state.message);
    await clock.advance(50);
    await control.state();
  }
};

describe('linking an account', () => {
  test('by a code that is scanned, while the gateway runs, which then receives', async () => {
    bed = await createBed({ isLinked: false });
    const running = bed.run();
    const { detail } = await running.waitForStatus(({ state }) => state === 'stopped');
    expect(detail).toContain('hermes whatsapp login');
    const linking = linkingOf(bed);
    linking.begin({ isAgain: false });
    const { qr = '' } = await until(bed, linking, (state) => state.qr !== undefined);
    await bed.control.scan(qr);
    const { message } = await until(bed, linking, ({ state }) => state === 'linked');
    expect(message).toBe(`Linked to +${bot}.`);
    await running.waitForStatus(({ state }) => state === 'connected');
    await bed.control.phone(ann).sends('hello');
    await bed.sink.waitFor(1);
    await running.stop();
    const creds = await stat(join(bed.folder, 'session', 'creds.json'));
    expect(creds.mode & 0o777).toBe(0o600);
  });

  test('by a code that is typed, without a gateway', async () => {
    bed = await createBed({ isLinked: false });
    const linking = linkingOf(bed);
    linking.begin({ isAgain: false, phone: bot });
    const { code = '' } = await until(bed, linking, (state) => state.code !== undefined);
    await bed.control.wait({ kind: 'calls', call: '^iq set md link_code', count: 1 });
    await bed.control.enterCode(code);
    await until(bed, linking, ({ state }) => state === 'linked');
    expect((await bed.control.state()).linkedDevices).toHaveLength(1);
  });

  test('without a network it says so', async () => {
    bed = await createBed({ isLinked: false, section: { socket_url: 'ws://127.0.0.1:9/ws' } });
    const linking = linkingOf(bed);
    linking.begin({ isAgain: false });
    await expect(until(bed, linking, ({ state }) => state === 'linked')).rejects.toThrow('cannot be reached');
  });

  test('an account that is linked stays, unless it is asked for; the old credentials are put aside', async () => {
    bed = await createBed();
    const linking = linkingOf(bed);
    linking.begin({ isAgain: false });
    const { message } = await until(bed, linking, ({ state }) => state === 'linked');
    expect(message).toContain(`+${bot} already`);
    linking.begin({ isAgain: true });
    const { qr = '' } = await until(bed, linking, (state) => state.qr !== undefined);
    await bed.control.scan(qr);
    await until(bed, linking, ({ state }) => state === 'linked');
    expect((await readdir(bed.folder)).filter((name) => name.startsWith('session.replaced-'))).toHaveLength(
      1,
    );
  });
});

describe('credentials', () => {
  test('that cannot be read are taken from their backup', async () => {
    bed = await createBed();
    const first = bed.run();
    await first.waitForStatus(({ state }) => state === 'connected');
    await first.stop();
    await bed.clock.advance(1_000);
    await writeFile(join(bed.folder, 'session', 'creds.json'), '{"noiseKey":');
    const second = bed.run();
    await second.waitForStatus(({ state }) => state === 'connected');
    await second.stop();
  });

  test('without a backup: it says to link anew, and leaves them as they are', async () => {
    bed = await createBed();
    const path = join(bed.folder, 'session', 'creds.json');
    await writeFile(path, '{"noiseKey":');
    const running = bed.run();
    const { detail } = await running.waitForStatus(({ state }) => state === 'stopped');
    expect(detail).toMatch(/cannot be read.*hermes whatsapp login --again/u);
    await running.stop();
    expect(await readFile(path, 'utf8')).toBe('{"noiseKey":');
  });
});
