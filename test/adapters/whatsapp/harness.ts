/** The real adapter, made through its definition, against the WhatsApp emulator, with a clock moved by hand. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { whatsapp } from '../../../src/adapters/whatsapp/index.js';
import { toAccountId, toChatId } from '../../../src/core/ids.js';
import type { PlatformAdapter } from '../../../src/core/platform.js';
import type { Route } from '../../../src/core/route.js';
import {
  createWhatsAppControl,
  type WhatsAppControl,
  type WorldSpec,
} from '../../emulators/whatsapp/control.js';
import { linkHome, trustMediaOf } from '../../emulators/whatsapp/linked-home.js';
import { type LogLine, MemoryLogger } from '../../fakes/memory-logger.js';
import {
  createMemoryNotes,
  createPorts,
  KeepingSink,
  type Running,
  runAdapter,
  WatchedClock,
} from '../adapter-bed.js';

export { anySignal } from '../adapter-bed.js';

export const ann = '15550100001';
export const bob = '15550100002';
export const bot = '15550109999';
export const group = '120363000000000001@g.us';

const someWorld: WorldSpec = {
  phones: [
    { number: ann, name: 'Ann' },
    { number: bob, name: 'Bob', addressing: 'pn' },
  ],
  groups: [{ id: group, subject: 'Plans', members: [ann, bob] }],
};

export interface WhatsAppBed {
  readonly control: WhatsAppControl;
  readonly adapter: PlatformAdapter;
  readonly clock: WatchedClock;
  readonly log: readonly LogLine[];
  readonly sink: KeepingSink;
  /** The adapter's own. */
  readonly folder: string;
  routeTo(chat: string): Route;
  run(sink?: KeepingSink): Running;
  /** Another adapter on the same folder, as after a restart. */
  restart(): Promise<PlatformAdapter>;
  dispose(): Promise<void>;
}

export const createBed = async ({
  isLinked = true,
  world = {},
  section = {},
}: {
  readonly isLinked?: boolean;
  readonly world?: WorldSpec;
  readonly section?: Readonly<Record<string, unknown>>;
} = {}): Promise<WhatsAppBed> => {
  const home = await mkdtemp(join(tmpdir(), 'hermes-whatsapp-'));
  const folder = join(home, 'whatsapp');
  const control = createWhatsAppControl(`http://127.0.0.1:${inject('whatsappPort')}`, randomUUID());
  const { trustRoot, mediaCertificate } = await control.reset({ ...someWorld, ...world });
  trustMediaOf(mediaCertificate);
  if (isLinked) await linkHome(home, await control.credentials());
  // People's messages bear the time of their phones.
  const clock = new WatchedClock(Date.now());
  const logger = new MemoryLogger();
  const create = (): Promise<PlatformAdapter> =>
    whatsapp.create(
      whatsapp.section.parse({
        enabled: true,
        socket_url: control.socketUrl,
        trust_root: trustRoot,
        ...section,
      }),
      createPorts(clock, logger, createMemoryNotes(), folder),
    );
  const adapter = await create();
  const sink = new KeepingSink();
  return {
    control,
    adapter,
    clock,
    log: logger.lines,
    sink,
    folder,
    routeTo: (chat) => ({
      platform: whatsapp.id,
      account: toAccountId('linked'),
      chat: toChatId(chat),
    }),
    run: (other = sink) => runAdapter(adapter, other),
    restart: create,
    dispose: async () => {
      // Whoever sent without receiving keeps the connection for a moment.
      await clock.advance(1_000);
      await control.remove();
      await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
};
