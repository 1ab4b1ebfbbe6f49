/** A phone that could not read a message of the bot asks for it once more, with keys for a new session. */
import type { LinkedDevice } from './linked-device.js';
import { node, secondsNow, uint } from './nodes.js';
import type { Phone } from './phone.js';

export interface Unreadable {
  readonly id: string;
  /** As the bot named it. */
  readonly group?: string;
  /** The phone's device as the bot named it. */
  readonly jid: string;
}

export async function askAgain(
  bot: LinkedDevice,
  phone: Phone,
  deviceId: number,
  { id, group, jid }: Unreadable,
): Promise<void> {
  const device = phone.device(deviceId);
  const [, ...keys] = await device.bundleNodes();
  bot.deliver(
    node(
      'receipt',
      {
        from: group ?? jid,
        participant: group === undefined ? undefined : jid,
        id,
        type: 'retry',
        t: secondsNow(),
      },
      [
        node('retry', { count: '1', id, t: secondsNow(), v: '1' }),
        node('registration', {}, uint(device.creds.registrationId)),
        node('keys', {}, keys),
      ],
    ),
  );
}
