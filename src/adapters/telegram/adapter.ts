import type { ContentSupport, PlatformAdapter } from '../../core/platform.js';
import type { AdapterPorts } from '../../core/platform-definition.js';
import { annotateMessage } from './annotate.js';
import { createChoices } from './choices.js';
import { createClient } from './client.js';
import type { TelegramSection } from './config.js';
import { EditPace } from './edit-pace.js';
import { encodePreview, TEXT_LIMIT_UNITS } from './encode.js';
import { encodeParts } from './encode-parts.js';
import { createMediaFetch } from './fetch.js';
import { Forums } from './forums.js';
import { accountOfToken, telegramId } from './ids.js';
import { createCommandMenu } from './menu.js';
import { fromEncoded, toEncoded } from './payload.js';
import { createReacting } from './reactions.js';
import { receive } from './receive.js';
import { receiveByWebhook, type WebhookAddress } from './receive-webhook.js';
import { createSender } from './send.js';

const support: ContentSupport = {
  text: {
    level: 'converted',
    maxLength: TEXT_LIMIT_UNITS,
    unit: 'utf16',
    hint:
      'Markdown is rendered: bold, italic, strikethrough, links, quotes, lists, inline code and fenced code with its ' +
      'language. Headings become bold lines and tables are shown as aligned text, so keep tables narrow; HTML and ' +
      'images in Markdown are not rendered.',
  },
};

const TYPING_LASTS_MS = 5_000;

const isPublicServer = (apiRoot: string): boolean => new URL(apiRoot).hostname === 'api.telegram.org';

/** Undefined where updates are polled for. */
const webhookOf = ({ mode, webhook }: TelegramSection): WebhookAddress | undefined => {
  if (mode !== 'webhook' || webhook?.url === undefined || webhook.secret === undefined) return undefined;
  const { url, secret, host, port } = webhook;
  return { url, secret, host, port };
};

export const createTelegram = (
  section: TelegramSection & { readonly token: string },
  ports: AdapterPorts,
): PlatformAdapter => {
  const { clock, ids, logger } = ports;
  const account = accountOfToken(section.token);
  const client = createClient({ token: section.token, apiRoot: section.api_root, clock });
  const forums = new Forums();
  const pace = new EditPace(clock);
  const isPublic = isPublicServer(section.api_root);
  const sender = createSender({ client, clock, logger, isPublic, forums, pace });
  const receiver = { client, account, clock, ids, logger, forums };
  const hook = webhookOf(section);
  return {
    platform: telegramId,
    account,
    idempotentSend: false,
    support: () => support,
    encode: (parts) => encodeParts(parts).map(toEncoded),
    annotate: (encoded, note) => annotateMessage(fromEncoded(encoded), note).map(toEncoded),
    run: (sink, options) =>
      hook === undefined ? receive(receiver, sink, options) : receiveByWebhook(hook, receiver, sink, options),
    send: sender.send,
    media: createMediaFetch({ client, isLocal: section.local_api, isPublic }),
    editing: { edit: sender.edit },
    preview: {
      minIntervalMs: ({ chat }) => pace.intervalMs(chat),
      encodePreview: (markdown) => {
        const preview = encodePreview(markdown);
        return preview === undefined ? undefined : toEncoded({ ...preview, files: [] });
      },
    },
    choices: createChoices(client),
    reacting: createReacting(client),
    typing: { lastsMs: TYPING_LASTS_MS, show: sender.showTyping },
    commandMenu: createCommandMenu({ client }),
  };
};
