/** The bot asks the account's own phone for messages that it got without their content; the phone has them. */
import { proto } from '@whiskeysockets/baileys';
import type { LinkedDevice } from './linked-device.js';
import { node, secondsNow } from './nodes.js';
import type { World } from './world.js';

const Type = proto.Message.ProtocolMessage.Type;

export async function answerPeer(
  world: World,
  bot: LinkedDevice,
  requestId: string,
  message: proto.IMessage,
): Promise<void> {
  const request = message.protocolMessage?.peerDataOperationRequestMessage;
  const keys = request?.placeholderMessageResendRequest?.map(({ messageKey }) => messageKey) ?? [];
  const found = keys.flatMap((key) => {
    const stored = world.messages.get(key?.id ?? '');
    if (!key || stored === undefined) return [];
    return [{ key, message: stored.proto, messageTimestamp: Number(secondsNow()) }];
  });
  if (found.length === 0) return;
  await sendFromOwnPhone(world, bot, {
    protocolMessage: {
      type: Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE,
      peerDataOperationRequestResponseMessage: {
        stanzaId: requestId,
        peerDataOperationRequestType: proto.Message.PeerDataOperationRequestType.PLACEHOLDER_MESSAGE_RESEND,
        peerDataOperationResult: found.map((info) => ({
          placeholderMessageResendResponse: {
            webMessageInfoBytes: proto.WebMessageInfo.encode(info).finish(),
          },
        })),
      },
    },
  });
}

/** Between the devices of one account, not for a chat. */
export async function sendFromOwnPhone(
  world: World,
  bot: LinkedDevice,
  message: proto.IMessage,
): Promise<void> {
  const device = world.account.device(0);
  const address = world.address(bot);
  await world.inOrder(async () => {
    if (!(await device.hasSession(address))) await device.begin(address, bot.takeBundle());
    const { type, ciphertext } = await device.seal(address, message);
    const attributes = {
      from: world.account.jid('pn'),
      id: world.newId('H'),
      type: 'text',
      category: 'peer',
      t: secondsNow(),
    };
    bot.deliver(node('message', attributes, [node('enc', { v: '2', type }, ciphertext)]));
  });
}
