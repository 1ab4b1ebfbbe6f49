/** The bot could not read a message and asks its sender for it again: sealed anew, in a new session. */
import { extractE2ESessionFromRetryReceipt, type proto } from '@whiskeysockets/baileys';
import type { LinkedDevice } from './linked-device.js';
import { attribute, type BinaryNode, child, node } from './nodes.js';
import type { World } from './world.js';

export async function resend(world: World, bot: LinkedDevice, receipt: BinaryNode): Promise<void> {
  const outgoing = world.outgoing.get(attribute(receipt, 'id'));
  if (outgoing === undefined) return;
  const { phone, deviceId, route } = outgoing;
  const device = phone.device(deviceId);
  const address = world.address(bot);
  await world.inOrder(async () => {
    const { preKey, ...told } = extractE2ESessionFromRetryReceipt(receipt) ?? bot.takeBundle();
    await device.begin(address, preKey === undefined ? told : { ...told, preKey });
    const senderKey: proto.IMessage =
      route.group === undefined
        ? {}
        : await device.senderKey(route.group, phone.jid(route.addressing, deviceId));
    const { type, ciphertext } = await device.seal(address, { ...outgoing.message, ...senderKey });
    const count = attribute(child(receipt, 'retry') ?? receipt, 'count');
    bot.deliver(node('message', outgoing.attributes, [node('enc', { v: '2', type, count }, ciphertext)]));
  });
}
