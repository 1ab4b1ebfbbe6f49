/** The state of the gateway as Prometheus reads it. Imported lazily: only who is asked needs the library. */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { AdapterStatus, GatewayServices, GatewayStatus } from '../../core/services.js';

type Read = (status: GatewayStatus) => readonly (readonly [Readonly<Record<string, string>>, number])[];

interface MetricLine {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly read: Read;
}

const one = (value: number) => [[{}, value]] as const;

const perPlatform =
  (read: (adapter: AdapterStatus) => number | undefined): Read =>
  ({ adapters }) =>
    adapters.flatMap((adapter) => {
      const value = read(adapter);
      return value === undefined ? [] : [[{ platform: adapter.platform }, value] as const];
    });

const toSeconds = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / 1000);

const lines: readonly MetricLine[] = [
  {
    name: 'hermes_info',
    help: 'The version that runs.',
    labels: ['version'],
    read: ({ version }) => [[{ version }, 1]],
  },
  {
    name: 'hermes_start_time_seconds',
    help: 'When the gateway was started.',
    labels: [],
    read: ({ startedAt }) => one(startedAt / 1000),
  },
  {
    name: 'hermes_problems',
    help: 'Things that need an operator.',
    labels: [],
    read: ({ problems }) => one(problems.length),
  },
  {
    name: 'hermes_platform_connected',
    help: 'Whether the platform is connected.',
    labels: ['platform'],
    read: perPlatform(({ state }) => (state === 'connected' ? 1 : 0)),
  },
  {
    name: 'hermes_platform_disconnects',
    help: 'Times the platform stopped being connected, since the start.',
    labels: ['platform'],
    read: perPlatform(({ disconnects }) => disconnects),
  },
  {
    name: 'hermes_platform_last_inbound_time_seconds',
    help: 'When the platform was last heard from.',
    labels: ['platform'],
    read: perPlatform(({ lastInboundAt }) => toSeconds(lastInboundAt)),
  },
  {
    name: 'hermes_platform_last_sent_time_seconds',
    help: 'When something was last sent there.',
    labels: ['platform'],
    read: perPlatform(({ lastSentAt }) => toSeconds(lastSentAt)),
  },
  {
    name: 'hermes_platform_dropped_strangers',
    help: 'Events of strangers that came too fast to be looked at, since the start.',
    labels: ['platform'],
    read: perPlatform(({ droppedStrangerEvents = 0 }) => droppedStrangerEvents),
  },
  {
    name: 'hermes_turns_running',
    help: 'Turns under way.',
    labels: [],
    read: ({ queues }) => one(queues.runningTurns),
  },
  {
    name: 'hermes_messages_waiting',
    help: 'Messages that wait for a turn.',
    labels: [],
    read: ({ queues }) => one(queues.waitingMessages),
  },
  {
    name: 'hermes_deliveries',
    help: 'Deliveries that wait, or that ended without a receipt.',
    labels: ['state'],
    read: ({ queues }) => [
      [{ state: 'pending' }, queues.pendingDeliveries],
      [{ state: 'failed' }, queues.failedDeliveries],
      [{ state: 'unknown' }, queues.unknownDeliveries],
    ],
  },
];

export const createRegistry = (services: GatewayServices): Registry => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const { name, help, labels, read } of lines) {
    const gauge = new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      collect: async () => {
        gauge.reset();
        for (const [values, value] of read(await services.status())) gauge.set(values, value);
      },
    });
  }
  return registry;
};
