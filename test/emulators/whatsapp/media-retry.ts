/** The bot asks its phone to upload an expired file anew; the phone does, or says that it has it no more. */
import { hkdfSync, randomBytes } from 'node:crypto';
import { aesEncryptGCM, proto } from '@whiskeysockets/baileys';
import { mediaOf } from './classify.js';
import type { LinkedDevice } from './linked-device.js';
import { attribute, type BinaryNode, child, node, SERVER, secondsNow } from './nodes.js';
import type { World } from './world.js';

/** What a phone says that has the file no more. */
const NOT_FOUND = '2';

export function answerMediaRetry(world: World, bot: LinkedDevice, request: BinaryNode): void {
  const id = attribute(request, 'id');
  const asked = child(request, 'rmr');
  const media = mediaOf(world.messages.get(id)?.proto ?? {});
  const directPath = media === undefined ? undefined : world.media.renew(media);
  const result =
    media?.part.mediaKey && directPath !== undefined
      ? node('encrypt', {}, seal(id, media.part.mediaKey, directPath))
      : node('error', { code: NOT_FOUND });
  bot.deliver(
    node('notification', { from: SERVER, id, type: 'mediaretry', t: secondsNow() }, [
      node('rmr', { ...asked?.attrs }),
      result,
    ]),
  );
}

function seal(id: string, mediaKey: Uint8Array, directPath: string): BinaryNode[] {
  const key = Buffer.from(
    hkdfSync('sha256', mediaKey, Buffer.alloc(0), 'WhatsApp Media Retry Notification', 32),
  );
  const iv = randomBytes(12);
  const told = proto.MediaRetryNotification.encode({
    stanzaId: id,
    directPath,
    result: proto.MediaRetryNotification.ResultType.SUCCESS,
  }).finish();
  return [node('enc_p', {}, aesEncryptGCM(told, key, iv, Buffer.from(id))), node('enc_iv', {}, iv)];
}
