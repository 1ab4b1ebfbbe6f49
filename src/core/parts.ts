/** Pieces of a message, the same for every platform. Content is always a list of parts, never a bare string. */

/** Inbound: as the person typed it. Outbound: Markdown, never formatted for a platform above its `encode`. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** Something a person sent that cannot be read yet; `description` names it in words, e.g. `a sticker 🙂`. */
export interface UnsupportedPart {
  readonly type: 'unsupported';
  readonly description: string;
}

export type InboundPart = TextPart | UnsupportedPart;
export type OutboundPart = TextPart;

/** The text of all text parts, joined by blank lines. */
export const textOf = (parts: readonly (InboundPart | OutboundPart)[]): string =>
  parts
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n\n');
