/** The kernel put together as the daemon does it, between stores in memory, scripted platforms and a scripted agent. */

import { onTestFinished } from 'vitest';
import { createShownLog } from '../../src/adapters/web/index.js';
import type { MediaStore } from '../../src/core/media.js';
import type { RecallService } from '../../src/core/recall.js';
import type { Stores } from '../../src/core/stores.js';
import type { MessagingService } from '../../src/core/tool.js';
import {
  createGateway,
  type Gateway,
  type GatewayPlatform,
  type GatewaySettings,
} from '../../src/gateway/index.js';
import { createMemoryStores } from '../../src/store/memory/memory-stores.js';
import { aPlatform, someSettings } from './builders.js';
import { createCountingIds } from './counting-ids.js';
import { noJobs } from './gateway-services.js';
import { ManualClock } from './manual-clock.js';
import { MemoryLogger } from './memory-logger.js';
import { ScriptedAgent, type TurnScript } from './scripted-agent.js';
import { ScriptedPlatform } from './scripted-platform.js';
import { ScriptedVoice } from './scripted-voice.js';
import { noSkills } from './tool-services.js';
import { unreliable } from './unreliable.js';

interface KernelSketch {
  readonly platform?: Partial<GatewayPlatform>;
  readonly settings?: Partial<GatewaySettings>;
  readonly scripts?: readonly TurnScript[];
  readonly maxLength?: number;
  readonly canChoose?: boolean;
  readonly canReact?: boolean;
  /** Default: there are no files. */
  readonly media?: MediaStore;
}

/** There are no files: whatever asks for one is told so. */
const noMedia: MediaStore = {
  keep: () => Promise.reject(new Error('no file is kept here')),
  open: async () => undefined,
  locate: async () => undefined,
  take: () => Promise.reject(new Error('no file is taken here')),
  fetch: () => Promise.reject(new Error('nothing is fetched here')),
  copy: () => Promise.reject(new Error('nothing is copied here')),
  release: async () => undefined,
  forget: async () => undefined,
  spooled: async () => [],
  sweep: async () => ({ files: 0, bytes: 0 }),
};

const createUnreliableStores = (inner: Stores) => {
  const inbox = unreliable(inner.inbox);
  const sessions = unreliable(inner.sessions);
  const turns = unreliable(inner.turns);
  const outbox = unreliable(inner.outbox);
  const stores: Stores = {
    ...inner,
    inbox: inbox.target,
    sessions: sessions.target,
    turns: turns.target,
    outbox: outbox.target,
  };
  const kill = (): void => {
    for (const one of [inbox, sessions, turns, outbox]) one.kill();
  };
  return { stores, inbox, sessions, turns, outbox, kill };
};

export const createKernel = async (sketch: KernelSketch = {}) => {
  const clock = new ManualClock();
  const logger = new MemoryLogger();
  const ids = createCountingIds();
  const kept = createMemoryStores({ now: () => clock.now() });
  let stores = createUnreliableStores(kept);
  const voice = new ScriptedVoice();
  const agent = new ScriptedAgent(...(sketch.scripts ?? []));
  const { maxLength, canChoose = false, canReact = false } = sketch;
  const abilities = { canChoose, canReact, ...(maxLength !== undefined && { maxLength }) };
  let platform = new ScriptedPlatform({ clock, ...abilities });
  let gateway: Gateway | undefined;
  let messaging: MessagingService | undefined;
  let recall: RecallService | undefined;
  const start = async (): Promise<void> => {
    gateway = createGateway({
      settings: someSettings({
        platforms: [aPlatform({ ...sketch.platform, create: async () => platform })],
        ...sketch.settings,
      }),
      stores: stores.stores,
      clock,
      ids,
      logger,
      pid: 1,
      jobs: noJobs,
      skills: noSkills,
      media: sketch.media ?? noMedia,
      voice,
      shown: createShownLog(kept.pageLog),
      redact: (text) => text.replaceAll('s3cret', '***'),
      createAgent: (services) => {
        messaging = services.messaging;
        recall = services.recall;
        return agent;
      },
    });
    await gateway.start();
  };
  /** Lets grace times pass. */
  const passing = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const settled = work.finally(() => {
      isOver = true;
    });
    while (!isOver) await clock.advance(250);
    return settled;
  };
  const stop = async (): Promise<void> => {
    await passing(gateway?.stop() ?? Promise.resolve());
    gateway = undefined;
  };
  onTestFinished(stop);
  await start();
  return {
    clock,
    logger,
    agent,
    voice,
    /** What outlives a kill. */
    kept,
    get stores() {
      return stores;
    },
    get platform() {
      return platform;
    },
    get gateway() {
      if (gateway === undefined) throw new Error('no gateway runs');
      return gateway;
    },
    /** Delivery as the agent's tools have it. */
    get messaging() {
      if (messaging === undefined) throw new Error('no gateway runs');
      return messaging;
    },
    /** Earlier conversations as the agent's tools have them. */
    get recall() {
      if (recall === undefined) throw new Error('no gateway runs');
      return recall;
    },
    start,
    stop,
    passing,
    /** The old life ends in the middle of whatever it does: nothing it still calls happens. */
    restartAfterKill: async (): Promise<void> => {
      platform.script.kill();
      stores.kill();
      agent.forgetHeld();
      stores = createUnreliableStores(kept);
      platform = new ScriptedPlatform({ clock, earlier: platform, ...abilities });
      await start();
    },
    /** Everything that needs no further time has happened. */
    settled: () => clock.advance(0),
  };
};
