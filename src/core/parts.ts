import type { JsonValue } from './json.js';

/** Pieces of a message, the same for every platform. Content is always a list of parts, never a bare string. */

/** Inbound: as the person typed it. Outbound: Markdown, never formatted for a platform above its `encode`. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** How a file is to be shown: `voice` is speech in a bubble of its own, `audio` a sound file with a player. */
export const mediaKinds = ['image', 'video', 'audio', 'voice', 'file'] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** A file that a person attached. Still on the platform: fetched when a turn takes it up. */
export interface InboundMediaPart {
  readonly type: 'media';
  readonly kind: MediaKind;
  /** What the platform's media facet fetches it by; plain data. */
  readonly handle: JsonValue;
  /** In words, e.g. `a video note of 12 s`. */
  readonly description: string;
  readonly fileName?: string;
  readonly mimeType?: string;
  /** As the platform says; the real size may differ. */
  readonly sizeBytes?: number;
  readonly durationMs?: number;
  /** Recorded to be said rather than seen, whatever its kind: a round video is listened to as a voice message is. */
  readonly isSpoken?: true;
  /** What was written under this file. */
  readonly caption?: string;
  /** Kept already, at acceptance or when it was listened to: nothing is to be fetched. */
  readonly kept?: StoredFile;
  /** What is said in it, once somebody has listened. */
  readonly said?: string;
  /** Why nothing is known of what is said in it, once somebody has listened in vain. */
  readonly unheard?: Unheard;
}

/** A recording that was listened to in vain. */
export interface Unheard {
  /** For the agent and its sender, after "because" and without a full stop. Absent: nothing is said in it. */
  readonly reason?: string;
}

/** Something sent that is no file and that words can give: a place, a contact, a poll, a dice. */
export interface DescribedPart {
  readonly type: 'described';
  readonly description: string;
}

/** Something that cannot be read; `description` names it in words, e.g. `an animated sticker 🙂`. */
export interface UnsupportedPart {
  readonly type: 'unsupported';
  readonly description: string;
}

export type InboundPart = TextPart | InboundMediaPart | DescribedPart | UnsupportedPart;

/** A file of ours: whole, readable, in a folder of ours that nobody else writes to. */
export interface StoredFile {
  /** Absolute. */
  readonly path: string;
  /** As people see it; no path. */
  readonly fileName: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly durationMs?: number;
  /** How loud it is along the way, for platforms that draw it: 64 bytes from 0 (silent) to 255, in base64. */
  readonly waveform?: string;
}

/** A file to send, with no text of its own: what is written beside it is a text part, and `encode` makes captions. */
export interface OutboundMediaPart {
  readonly type: 'media';
  readonly kind: MediaKind;
  readonly file: StoredFile;
}

/** One of several answers, as a platform shows it. */
export interface Choice {
  readonly label: string;
  /** Comes back when it is chosen: at most 40 ASCII characters. */
  readonly token: string;
}

/** Answers to choose from, the last part of its message and after a text. Only for platforms with a choices facet. */
export interface ChoicesPart {
  readonly type: 'choices';
  readonly choices: readonly Choice[];
}

/** What is said, by words and files. */
export type ContentPart = TextPart | OutboundMediaPart;
export type OutboundPart = ContentPart | ChoicesPart;

/** What was written, or said to us: text parts, captions and recordings that were listened to, joined by blank lines. */
export const textOf = (parts: readonly (InboundPart | OutboundPart)[]): string =>
  parts.flatMap(writtenIn).join('\n\n');

const writtenIn = (part: InboundPart | OutboundPart): readonly string[] => {
  if (part.type === 'text') return [part.text];
  if (part.type !== 'media' || !('handle' in part)) return [];
  return [part.caption, part.said].filter((text) => text !== undefined);
};
