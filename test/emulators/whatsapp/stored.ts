/** A message as the emulator keeps it. */
import type { proto } from '@whiskeysockets/baileys';
import type { MessageKind, SeenMedia, SeenMessage } from './protocol.js';

export interface StoredMessage {
  readonly id: string;
  readonly chat: string;
  readonly from: string;
  /** As it was sent, wrappers and all. */
  readonly proto: proto.IMessage;
  readonly kind: MessageKind;
  text: string;
  readonly quotedId?: string;
  readonly mentions: readonly string[];
  readonly options?: readonly string[];
  readonly media?: SeenMedia;
  readonly targetId?: string;
  readonly emoji?: string;
  readonly ephemeralSeconds?: number;
  readonly receivedBy: Set<string>;
  times: number;
  edits: number;
  deleted: boolean;
  readonly reactions: Map<string, string>;
}

export function see(stored: StoredMessage): SeenMessage {
  const { proto: message, receivedBy, reactions, ...rest } = stored;
  return {
    ...rest,
    message,
    receivedBy: [...receivedBy],
    reactions: Object.fromEntries(reactions),
  };
}
