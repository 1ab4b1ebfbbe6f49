import { join } from 'node:path';
import type { ContentSupport, PlatformAdapter } from '../../core/platform.js';
import type { AdapterPorts } from '../../core/platform-definition.js';
import { codec, openSocket } from './client.js';
import type { WhatsAppSection } from './config.js';
import { Connection } from './connection.js';
import { encodePreview, TEXT_LIMIT_UNITS } from './encode.js';
import { annotateMessage, encodeParts } from './encode-parts.js';
import { createMediaFetch } from './fetch.js';
import { Groups } from './groups.js';
import { Held } from './held.js';
import { Identities } from './identities.js';
import { linkedAccount, whatsappId } from './ids.js';
import { Linking } from './link.js';
import { fromEncoded, toEncoded } from './payload.js';
import { Receiver } from './receive.js';
import { Recent } from './recent.js';
import { createSender } from './send.js';
import { SentStore } from './sent-store.js';
import { SessionFiles } from './session-files.js';

const support: ContentSupport = {
  text: {
    level: 'converted',
    maxLength: TEXT_LIMIT_UNITS,
    unit: 'utf16',
    hint:
      'Bold, italic, strikethrough, quotes, lists, inline code and fenced code are shown. Headings become bold lines, ' +
      'links show their address after the label, and tables are aligned text, so keep them narrow: this is read on a ' +
      'phone. HTML is not rendered.',
  },
};

/** WhatsApp's own clients show it for so long. */
const TYPING_LASTS_MS = 10_000;
/** Each change is a message to WhatsApp, which watches how many an account sends. */
const PREVIEW_INTERVAL_MS = 3_000;

/** What the adapter is made of, introduced to each other. */
const createParts = (section: WhatsAppSection, ports: AdapterPorts) => {
  const { clock, ids, logger, folder } = ports;
  const files = new SessionFiles(join(folder, 'session'), codec, logger);
  const sent = new SentStore(join(folder, 'sent'), logger);
  const held = new Held(join(folder, 'held'), codec, logger);
  const identities = new Identities();
  const recent = new Recent();
  const connection: Connection = new Connection({
    clock,
    logger,
    files,
    open: ({ creds, listener }) =>
      openSocket({
        socketUrl: section.socket_url,
        trustRoot: section.trust_root,
        creds,
        files,
        held,
        logger,
        listener,
        sent: (id) => sent.read(id),
        group: (id) => groups.find(id),
      }),
    onMessages: (messages, isHistory) => receiver.take(messages, isHistory),
    onGroupChanged: (group) => groups.forget(group),
  });
  const groups: Groups = new Groups({ identities, logger, socket: () => connection.socket });
  const receiver = new Receiver({
    connection,
    clock,
    ids,
    logger,
    identities,
    groups,
    recent,
    sent,
    held,
    isSelfChat: section.mode === 'self-chat',
    marksRead: section.read_receipts,
  });
  const sender = createSender({ connection, clock, logger, identities, sent, recent, groups });
  const linking = new Linking({
    clock,
    logger,
    files,
    connection,
    socketUrl: section.socket_url,
    trustRoot: section.trust_root,
  });
  return { connection, receiver, sender, linking };
};

export const createWhatsApp = (section: WhatsAppSection, ports: AdapterPorts): PlatformAdapter => {
  const { clock, logger } = ports;
  const { connection, receiver, sender, linking } = createParts(section, ports);
  return {
    platform: whatsappId,
    account: linkedAccount,
    // An id is made from the key, and WhatsApp shows one message of an id.
    idempotentSend: true,
    support: () => support,
    encode: (parts) => encodeParts(parts).map(toEncoded),
    annotate: (encoded, note) => annotateMessage(fromEncoded(encoded), note).map(toEncoded),
    run: (sink, options) => receiver.run(sink, options),
    send: sender.send,
    media: createMediaFetch({ connection, clock, logger }),
    editing: { edit: sender.edit },
    preview: {
      minIntervalMs: () => PREVIEW_INTERVAL_MS,
      encodePreview: (markdown) => {
        const preview = encodePreview(markdown);
        return preview === undefined ? undefined : toEncoded(preview);
      },
    },
    reacting: { react: sender.react },
    linking,
    typing: { lastsMs: TYPING_LASTS_MS, show: sender.showTyping },
  };
};
