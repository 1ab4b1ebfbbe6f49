/** Updates as Telegram sends them, and what a broken server could make of them, drawn from a seed. */
import type { Random } from '../../crash/random.js';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const ada = { id: 1001, is_bot: false, first_name: 'Ada', last_name: 'Example', language_code: 'en' };
const direct = { id: 1001, type: 'private', first_name: 'Ada' };
const forum = { id: -1009000777, type: 'supergroup', title: 'A group', is_forum: true };
const message = { message_id: 42, date: 1_767_225_600, from: ada, chat: direct };
const photo = [{ file_id: 'AgAC', file_unique_id: 'u', width: 90, height: 90, file_size: 100 }];
const quoted = { ...message, message_id: 41, text: 'before' };

const usual: readonly { readonly [name: string]: Json }[] = [
  { message: { ...message, text: 'hello there', entities: [{ type: 'bold', offset: 0, length: 5 }] } },
  { message: { ...message, text: '/status', entities: [{ type: 'bot_command', offset: 0, length: 7 }] } },
  { message: { ...message, photo, caption: 'a picture', media_group_id: '77' } },
  { message: { ...message, text: 'yes', reply_to_message: quoted, quote: { text: 'bef', position: 0 } } },
  { message: { ...message, chat: forum, message_thread_id: 7, is_topic_message: true, text: 'in a topic' } },
  { message: { ...message, location: { latitude: 52.5, longitude: 13.4 } } },
  { message: { ...message, contact: { phone_number: '+100', first_name: 'Ben' } } },
  {
    message: { ...message, sticker: { file_id: 'S', file_unique_id: 's', emoji: '👍', width: 9, height: 9 } },
  },
  { message: { ...message, poll: { question: 'Tea?', options: [{ text: 'Yes', voter_count: 0 }] } } },
  { message: { ...message, chat: forum, migrate_to_chat_id: -1009000778 } },
  {
    message: { ...message, text: 'sent on', forward_origin: { type: 'hidden_user', sender_user_name: 'B' } },
  },
  { edited_message: { ...message, text: 'better', edit_date: 1_767_225_700 } },
  { channel_post: { ...message, chat: { id: -1005, type: 'channel', title: 'News' }, text: 'news' } },
  { callback_query: { id: '9', from: ada, message, chat_instance: 'c', data: 'a:once' } },
];

const odd: readonly Json[] = [
  ...[null, true, -1, 0, 1.5, 1e308, 2 ** 53, '', ' ', '\0', '\ud800', 'x\udc00y', '1001', '__proto__'],
  ...[[], {}, [[]], [null], { id: {} }, 'x'.repeat(70_000), '😀'.repeat(5_000), '\u202e\u0000\ufffe'],
];

const isObject = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One place in the value, anywhere, becomes something else or goes. */
const mutate = (value: Json, random: Random): Json => {
  const entries = isObject(value) ? Object.entries(value) : Array.isArray(value) ? [...value.entries()] : [];
  if (entries.length === 0 || random.chance(0.15)) return random.pick(odd);
  const [name, inner] = random.pick<readonly [string | number, Json]>(entries);
  if (Array.isArray(value)) return value.map((one: Json, at) => (at === name ? mutate(inner, random) : one));
  const { [name]: _gone, ...others } = value as { readonly [name: string]: Json };
  if (random.chance(0.2)) return others;
  return { ...others, [random.chance(0.1) ? '__proto__' : name]: mutate(inner, random) };
};

/** Without its id; its content is mutated in up to three places. */
export const drawOddUpdate = (random: Random): { readonly [name: string]: Json } => {
  const [kind = 'message', content = null] = Object.entries(random.pick(usual))[0] ?? [];
  let odder: Json = content;
  for (let count = 1 + random.below(3); count > 0; count -= 1) odder = mutate(odder, random);
  return { [kind]: odder };
};
