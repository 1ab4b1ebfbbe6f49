import type { PlatformSettings, Settings } from '../config/index.js';
import type { AdapterStatus, GatewayStatus } from '../core/services.js';
import type { Paint } from './paint.js';
import { wrap } from './wrap.js';

const states = {
  connected: 'connected',
  starting: 'connecting…',
  unhealthy: 'not connected',
  stopped: 'stopped',
} as const;

const styles = { connected: 'green', starting: 'yellow', unhealthy: 'red', stopped: 'red' } as const;

const LABEL_WIDTH = 12;

const indent = ' '.repeat(LABEL_WIDTH + 2);

/** Within 80 columns; colour belongs to the first line, whose text is short. */
const entry = (label: string, first: string, more: readonly string[] = []): string => {
  const lines = more.map((line) => `${indent}${wrap(line, { width: 78 - indent.length, indent })}`);
  return [`  ${label.padEnd(LABEL_WIDTH)}${first}`, ...lines].join('\n');
};

const modelEntry = ({ settings, status }: BannerParts): string => {
  const { provider, name, isDemo } = status.model;
  if (!isDemo) return entry('Model', `${name} by ${provider}`);
  const { envFile, settingsFile } = settings.paths;
  return entry('Model', 'offline: a scripted demo that is built in; no real model answers', [
    `To connect one, write OPENAI_API_KEY=… to ${envFile}, or model: in ${settingsFile} (any server that speaks the protocol of OpenAI), and start again.`,
  ]);
};

const platformEntry = (
  { definition, isEnabled }: PlatformSettings,
  adapter: AdapterStatus | undefined,
  { paint, pageUrl }: BannerParts,
): string => {
  const { title, connectHint } = definition;
  // The label says the name already.
  if (!isEnabled) return entry(title, 'off', connectHint.replace(`${title}: `, '').split('\n'));
  if (adapter === undefined) return entry(title, 'on');
  const url = adapter.platform === 'web' && pageUrl !== undefined ? `  ${paint(pageUrl, 'bold')}` : '';
  const state = paint(states[adapter.state], styles[adapter.state]);
  return entry(title, `${state}${url}`, adapter.detail === undefined ? [] : [adapter.detail]);
};

export interface BannerParts {
  readonly settings: Settings;
  readonly status: GatewayStatus;
  readonly pageUrl: string | undefined;
  readonly paint: Paint;
}

/** What a person at the terminal wants to know once the gateway is up. */
export const formatBanner = (parts: BannerParts): string => {
  const { settings, status, paint, pageUrl } = parts;
  const lines = settings.platforms.map((platform) => {
    const adapter = status.adapters.find((one) => one.platform === platform.definition.id);
    return platformEntry(platform, adapter, parts);
  });
  return [
    '',
    paint(`Hermes Gateway ${status.version}`, 'bold'),
    modelEntry(parts),
    ...lines,
    entry('Home', settings.paths.home),
    '',
    ...(pageUrl === undefined ? [] : [`Open ${pageUrl} in a browser and say hello.`]),
    'Ctrl-C stops the gateway.',
    '',
    '',
  ].join('\n');
};
