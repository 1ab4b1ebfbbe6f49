/** Names in words what cannot be read yet, so that the model never gets an empty prompt. Pure. */
import { type Fields, fieldsOf, integerOf, listOf, nameOf, numberOf, shorten } from './fields.js';

/** Longer names and questions are cut: a description is a hint, not the content. */
const MAX_NAME_LENGTH = 200;

const named = (what: string, name: unknown): string => {
  const text = nameOf(name);
  return text === undefined ? what : `${what} ${shorten(text, MAX_NAME_LENGTH)}`;
};

const timed = (what: string, seconds: unknown): string => {
  const duration = numberOf(seconds);
  return duration === undefined ? what : `${what} (${duration} s)`;
};

const quoted = (what: string, name: unknown): string => {
  const text = nameOf(name);
  return text === undefined ? what : `${what} “${shorten(text, MAX_NAME_LENGTH)}”`;
};

const location = (place: Fields): string => {
  const latitude = numberOf(place['latitude']);
  const longitude = numberOf(place['longitude']);
  const what = integerOf(place['live_period']) === undefined ? 'a location' : 'a live location';
  return latitude === undefined || longitude === undefined ? what : `${what} (${latitude}, ${longitude})`;
};

const contact = (person: Fields): string => {
  const name = [nameOf(person['first_name']), nameOf(person['last_name'])].filter(Boolean).join(' ');
  const phone = nameOf(person['phone_number']);
  return named('a contact:', [name, phone].filter(Boolean).join(', ')).replace(/:$/u, '');
};

const poll = (value: Fields): string => {
  const options = listOf(value['options'])
    .map((option) => nameOf(fieldsOf(option)?.['text']))
    .filter((text) => text !== undefined);
  const question = quoted('a poll', value['question']);
  return options.length === 0
    ? question
    : `${question} with ${shorten(options.join(' / '), MAX_NAME_LENGTH)}`;
};

const venue = (place: Fields): string =>
  [quoted('a place', place['title']), nameOf(place['address'])].filter(Boolean).join(', ');

const sticker = (value: Fields): string =>
  named(
    value['is_animated'] === true || value['is_video'] === true ? 'an animated sticker' : 'a sticker',
    value['emoji'],
  );

const dice = (value: Fields): string => {
  const shown = integerOf(value['value']);
  return shown === undefined
    ? named('a throw of', value['emoji'])
    : `${named('a throw of', value['emoji'])} showing ${shown}`;
};

const audio = (value: Fields): string => {
  const title = [nameOf(value['performer']), nameOf(value['title'])].filter(Boolean).join(' – ');
  return timed(quoted('an audio file', title === '' ? value['file_name'] : title), value['duration']);
};

/** In this order: some messages carry an older field beside the one that says what they are. */
const kinds: readonly (readonly [field: string, describe: (value: Fields) => string])[] = [
  ['animation', () => 'an animation (GIF)'],
  ['sticker', sticker],
  ['live_photo', () => 'a live photo'],
  ['photo', () => 'a photo'],
  ['voice', (value) => timed('a voice message', value['duration'])],
  ['audio', audio],
  ['video_note', (value) => timed('a round video message', value['duration'])],
  ['video', (value) => timed('a video', value['duration'])],
  ['document', (value) => named('a file', value['file_name'])],
  ['paid_media', () => 'paid photos or videos'],
  ['story', () => 'a story'],
  ['checklist', (value) => quoted('a checklist', value['title'])],
  ['contact', contact],
  ['dice', dice],
  ['game', (value) => quoted('a game', value['title'])],
  ['poll', poll],
  ['venue', venue],
  ['location', location],
  ['invoice', (value) => quoted('an invoice', value['title'])],
  ['giveaway', () => 'a giveaway'],
];

/** What the message shows besides text, e.g. `a sticker 🙂`; undefined if that is nothing. */
export const describeMedia = (message: Fields): string | undefined => {
  for (const [field, describe] of kinds) {
    const value = message[field];
    // A photo is a list of sizes, everything else an object.
    if (typeof value === 'object' && value !== null) return describe(fieldsOf(value) ?? {});
  }
  return undefined;
};
