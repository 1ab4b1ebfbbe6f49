/**
 * What a newly linked device gets first from the account's phone: the chats so far, none here, and who has which hidden
 * id. A client waits for it before it shows messages, so it must come after the note that nothing waits any more.
 */
import { deflateSync } from 'node:zlib';
import { proto } from '@whiskeysockets/baileys';
import type { LinkedDevice } from './linked-device.js';
import { sendFromOwnPhone } from './peer.js';
import type { World } from './world.js';

export async function welcome(world: World, bot: LinkedDevice): Promise<void> {
  const syncType = proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP;
  const history = proto.HistorySync.encode({
    syncType,
    progress: 100,
    phoneNumberToLidMappings: [...world.phones.values()].map((phone) => ({
      lidJid: phone.jid('lid'),
      pnJid: phone.jid('pn'),
    })),
  }).finish();
  await sendFromOwnPhone(world, bot, {
    protocolMessage: {
      type: proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION,
      historySyncNotification: {
        syncType,
        progress: 100,
        chunkOrder: 1,
        initialHistBootstrapInlinePayload: deflateSync(history),
      },
    },
  });
}
