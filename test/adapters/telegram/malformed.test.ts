import { expect, test } from 'vitest';
import { complaintAbout } from '../../../src/adapters/telegram/malformed.js';

const message = { message_id: 1, chat: { id: 5 } };

test.each<[unknown, string | undefined]>([
  [{ update_id: 1, message }, undefined],
  [{ update_id: 1, edited_channel_post: message }, undefined],
  [{ update_id: 1, callback_query: { id: '9' } }, undefined],
  [{ update_id: 1, poll: 7 }, undefined],
  [null, 'it is no object'],
  [[], 'it is no object'],
  [{ message }, 'it has no update_id'],
  [{ update_id: 1.5, message }, 'it has no update_id'],
  [{ update_id: 1, message: 'hello' }, 'its message is no object'],
  [{ update_id: 1, message: { ...message, message_id: '1' } }, 'its message has no message_id'],
  [{ update_id: 1, channel_post: { ...message, chat: 5 } }, 'its channel_post has no chat'],
  [{ update_id: 1, callback_query: {} }, 'its callback_query has no id'],
])('of %j is said: %s', (update, complaint) => {
  expect(complaintAbout(update)).toBe(complaint);
});
