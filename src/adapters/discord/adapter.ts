import type { OutboundPart } from '../../core/parts.js';
import type { ContentSupport, PlatformAdapter } from '../../core/platform.js';
import type { AdapterPorts } from '../../core/platform-definition.js';
import { Calls } from './calls.js';
import { Channels } from './channels.js';
import { createChoices } from './choices.js';
import { createClient } from './client.js';
import type { DiscordSection } from './config.js';
import type { DecodeSettings } from './decode.js';
import { createDirectChannels } from './direct-channels.js';
import { encodePreview, TEXT_LIMIT_UNITS } from './encode.js';
import { annotateMessage, encodeParts } from './encode-parts.js';
import { createMediaFetch } from './fetch.js';
import { accountOfToken, discordId } from './ids.js';
import { LoopGuard } from './loop-guard.js';
import { createCommandMenu } from './menu.js';
import { fromEncoded, toEncoded } from './payload.js';
import { linkPeople } from './people.js';
import { Places } from './places.js';
import { createReacting } from './reactions.js';
import { receive } from './receive.js';
import { Seen } from './seen.js';
import { createSender } from './send.js';

const support: ContentSupport = {
  text: {
    level: 'native',
    maxLength: TEXT_LIMIT_UNITS,
    unit: 'utf16',
    hint:
      'Markdown is rendered: bold, italic, strikethrough, spoilers, links, quotes, lists, inline code and fenced code ' +
      'with its language. Tables are shown as aligned text, so keep them narrow; HTML is not rendered. A message ' +
      'holds 2000 characters; a very long answer goes as a file.',
  },
};

const TYPING_LASTS_MS = 10_000;
/** Five edits in five seconds are what Discord allows in a channel, all kinds of messages together. */
const PREVIEW_INTERVAL_MS = 1_500;

const toDecodeSettings = (section: DiscordSection): DecodeSettings => ({
  autoThread: section.auto_thread,
  freeChannels: section.free_response_channels,
  ignoredChannels: section.ignored_channels,
  allowBots: section.allow_bots,
});

export const createDiscord = (
  section: DiscordSection & { readonly token: string },
  ports: AdapterPorts,
): PlatformAdapter => {
  const { clock, ids, logger, notes } = ports;
  const account = accountOfToken(section.token);
  const client = createClient({ token: section.token, apiRoot: section.api_root, clock });
  const places = new Places();
  const channels = new Channels({ client, places, logger });
  const calls = new Calls({ client, clock, logger });
  const sender = createSender({
    client,
    clock,
    logger,
    channels,
    calls,
    mentionsUsers: section.mention_users,
  });
  const seen = new Seen({ account, clock, notes, logger });
  const guard = new LoopGuard({ clock, logger });
  const settings = toDecodeSettings(section);
  const directChannels = createDirectChannels({
    account,
    channels,
    notes,
    logger,
    people: section.allowed_users,
  });
  const needsRoles = section.allowed_roles.length > 0;
  const receiving = { client, account, clock, ids, logger, places, seen, calls, guard, settings };
  const toMentions = (part: OutboundPart): OutboundPart =>
    part.type === 'text' && section.mention_users ? { ...part, text: linkPeople(part.text, places) } : part;
  return {
    platform: discordId,
    account,
    // The nonce of a message is enforced.
    idempotentSend: true,
    support: () => support,
    encode: (parts) => encodeParts(parts.map(toMentions)).map(toEncoded),
    annotate: (encoded, note) => annotateMessage(fromEncoded(encoded), note).map(toEncoded),
    run: (sink, options) => receive({ ...receiving, directChannels, needsRoles }, sink, options),
    send: sender.send,
    media: createMediaFetch({ client, apiRoot: section.api_root }),
    editing: { edit: sender.edit },
    preview: {
      minIntervalMs: () => PREVIEW_INTERVAL_MS,
      encodePreview: (markdown) => {
        const preview = encodePreview(markdown);
        return preview === undefined ? undefined : toEncoded({ ...preview, files: [] });
      },
    },
    choices: createChoices(client),
    reacting: createReacting(client, channels),
    typing: { lastsMs: TYPING_LASTS_MS, show: sender.showTyping },
    commandMenu: createCommandMenu({ client, account, places, notes, logger }),
  };
};
