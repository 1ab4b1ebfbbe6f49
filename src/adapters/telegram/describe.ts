/** Names in words what a message shows besides text, so that nobody ever gets an empty prompt. Pure. */
import { type Fields, fieldsOf, integerOf, listOf, nameOf, numberOf, shorten } from '../kit/fields.js';

/** Longer names and questions are cut: a description is a hint, not the content. */
const MAX_NAME_LENGTH = 200;
/** The answers of a poll and the like are the content. */
const MAX_LIST_LENGTH = 1000;

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

/** The texts of a list of objects, as one line behind what they belong to. */
const listed = (what: string, items: unknown): string => {
  const texts = listOf(items)
    .map((item) => nameOf(fieldsOf(item)?.['text']))
    .filter((text) => text !== undefined);
  return texts.length === 0 ? what : `${what} with ${shorten(texts.join(' / '), MAX_LIST_LENGTH)}`;
};

const poll = (value: Fields): string => listed(quoted('a poll', value['question']), value['options']);

const checklist = (value: Fields): string => listed(quoted('a checklist', value['title']), value['tasks']);

const venue = (place: Fields): string => {
  const spot = fieldsOf(place['location']);
  const at = spot === undefined ? [] : [location(spot).replace(/^a (?:live )?location ?/u, '')];
  return [quoted('a place', place['title']), nameOf(place['address']), ...at].filter(Boolean).join(', ');
};

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

/**
 * `file`: has bytes to fetch; `words`: the description says all of it; `nothing`: cannot be read.
 */
export type Readable = 'file' | 'words' | 'nothing';

/** In this order: some messages carry an older field beside the one that says what they are. */
const kinds: readonly (readonly [field: string, readable: Readable, describe: (value: Fields) => string])[] =
  [
    ['animation', 'file', () => 'an animation (GIF)'],
    ['sticker', 'file', sticker],
    ['live_photo', 'file', () => 'a live photo'],
    ['photo', 'file', () => 'a photo'],
    ['voice', 'file', (value) => timed('a voice message', value['duration'])],
    ['audio', 'file', audio],
    ['video_note', 'file', (value) => timed('a round video message', value['duration'])],
    ['video', 'file', (value) => timed('a video', value['duration'])],
    ['document', 'file', (value) => named('a file', value['file_name'])],
    ['paid_media', 'nothing', () => 'paid photos or videos'],
    ['story', 'nothing', () => 'a story'],
    ['checklist', 'words', checklist],
    ['contact', 'words', contact],
    ['dice', 'words', dice],
    ['game', 'nothing', (value) => quoted('a game', value['title'])],
    ['poll', 'words', poll],
    ['venue', 'words', venue],
    ['location', 'words', location],
    ['invoice', 'nothing', (value) => quoted('an invoice', value['title'])],
    ['giveaway', 'nothing', () => 'a giveaway'],
  ];

export interface Content {
  /** The message's field that holds it. */
  readonly field: string;
  readonly readable: Readable;
  /** In words, e.g. `a sticker 🙂`. */
  readonly description: string;
}

/** What the message shows besides text; undefined if that is nothing. */
export const findContent = (message: Fields): Content | undefined => {
  for (const [field, readable, describe] of kinds) {
    const value = message[field];
    // A photo is a list of sizes, everything else an object.
    if (typeof value !== 'object' || value === null) continue;
    return { field, readable, description: describe(fieldsOf(value) ?? {}) };
  }
  return undefined;
};
