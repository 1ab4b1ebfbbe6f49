/**
 * Discord's tags in words: `<@111>` is nothing that a model can read. Tags in code stay as typed. Pure.
 */
import type { Places } from './places.js';

export interface ReadableOptions {
  readonly places: Places;
  /** Names that came with the message itself, by id. */
  readonly mentioned: ReadonlyMap<string, string>;
}

/** Fenced and inline code, to split a text by: every second piece is code. */
export const CODE = /(```[\s\S]*?```|``[^`][\s\S]*?``|`[^`\n]+`)/u;
const TAG =
  /<(?:@!?(?<user>\d{1,20})|@&(?<role>\d{1,20})|#(?<channel>\d{1,20})|a?:(?<emoji>\w+):\d{1,20}|t:(?<time>-?\d{1,13})(?::[a-zA-Z])?|\/(?<command>[^:>]+):\d{1,20})>/gu;

export const toReadable = (content: string, options: ReadableOptions): string =>
  content
    .split(CODE)
    // Every second piece is what the pattern caught.
    .map((piece, index) => (index % 2 === 1 ? piece : readTags(piece, options)))
    .join('')
    .trim();

const readTags = (text: string, { places, mentioned }: ReadableOptions): string =>
  text
    // A mention of us is left out, as all of it is meant for us; with the blank after it.
    .replaceAll(/<@!?(\d{1,20})>[ \t]*/gu, (whole, id: string) => (id === places.self ? '' : whole))
    .replaceAll(TAG, (whole, ...rest) => {
      // The groups come last.
      const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
      const { user, role, channel, emoji, time, command } = groups;
      if (user !== undefined)
        return `@${mentioned.get(user) ?? places.personName(user) ?? `someone (${user})`}`;
      if (role !== undefined) return `@${places.roleName(role) ?? `role ${role}`}`;
      if (channel !== undefined) return `#${places.find(channel)?.name ?? channel}`;
      if (emoji !== undefined) return `:${emoji}:`;
      if (command !== undefined) return `/${command}`;
      return time === undefined ? whole : (timeText(Number(time)) ?? whole);
    });

/** `2026-01-01 00:00 UTC`; undefined for what is no date. */
const timeText = (seconds: number): string | undefined => {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime())
    ? undefined
    : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
};
