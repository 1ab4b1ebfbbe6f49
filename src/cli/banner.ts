import type { PlatformSettings, Settings } from '../config/index.js';
import type { AdapterStatus, GatewayStatus } from '../core/services.js';
import { describeModel } from '../core/setting-words.js';
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
  if (!status.model.isDemo) return entry('Model', describeModel(status.model));
  const { envFile, settingsFile } = settings.paths;
  return entry('Model', describeModel(status.model), [
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
  const url =
    adapter.platform === 'web' && pageUrl !== undefined ? `  ${paint(toOpen(pageUrl), 'bold')}` : '';
  const state = paint(states[adapter.state], styles[adapter.state]);
  return entry(title, `${state}${url}`, adapter.detail === undefined ? [] : [adapter.detail]);
};

/** An address that means every address is none that a browser can open. */
const toOpen = (pageUrl: string): string => pageUrl.replace(/\/\/(?:0\.0\.0\.0|\[::\]):/u, '//<this host>:');

const openingLine = (pageUrl: string): string =>
  pageUrl === toOpen(pageUrl)
    ? `Open ${pageUrl} in a browser and say hello.`
    : `Open ${toOpen(pageUrl)} in a browser; it asks for the token.`;

const problemLines = (problem: string): readonly string[] => [
  `  ! ${wrap(problem, { width: 76, indent: '    ' })}`,
  '',
];

/** Texts of the gateway speak of \`hermes\`, which is there only once it was linked. */
const programLines = (program: string): readonly string[] =>
  program === 'hermes' ? [] : [`\`hermes\` means \`${program}\` here; \`npm link\` makes it a command.`];

export interface BannerParts {
  readonly settings: Settings;
  readonly status: GatewayStatus;
  readonly pageUrl: string | undefined;
  readonly paint: Paint;
  /** How this program is started, e.g. `node dist/main.js`. */
  readonly program: string;
}

/** What a person at the terminal wants to know once the gateway is up. */
export const formatBanner = (parts: BannerParts): string => {
  const { settings, status, paint, pageUrl, program } = parts;
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
    ...status.problems.flatMap(problemLines),
    ...(pageUrl === undefined ? [] : [openingLine(pageUrl)]),
    ...programLines(program),
    'Ctrl-C stops the gateway.',
    '',
    '',
  ].join('\n');
};
