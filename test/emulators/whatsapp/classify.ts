/** What a message says, read from WhatsApp's protobuf; pure. */
import { getContentType, normalizeMessageContent, proto } from '@whiskeysockets/baileys';
import type { MessageKind } from './protocol.js';

export interface Reading {
  readonly kind: MessageKind;
  readonly text: string;
  readonly quotedId?: string;
  /** Ids as they stand in the message. */
  readonly mentions: readonly string[];
  readonly options?: readonly string[];
  readonly targetId?: string;
  readonly emoji?: string;
  readonly ephemeralSeconds?: number;
}

const Type = proto.Message.ProtocolMessage.Type;

export function classify(message: proto.IMessage): Reading {
  const content = normalizeMessageContent(message) ?? {};
  const { protocolMessage: told, reactionMessage: reaction, pollUpdateMessage: vote } = content;
  if (told?.type === Type.REVOKE) return about('delete', '', told.key);
  if (told?.type === Type.MESSAGE_EDIT) {
    const edited = classify(told.editedMessage ?? {});
    return { ...about('edit', edited.text, told.key), mentions: edited.mentions };
  }
  if (told) return { kind: 'peer', text: '', mentions: [] };
  if (reaction) return { ...about('reaction', '', reaction.key), emoji: reaction.text ?? '' };
  if (vote) return about('vote', '', vote.pollCreationMessageKey);
  const context = contextOf(content);
  const options = pollOf(content)?.options?.map(({ optionName }) => optionName ?? '');
  return {
    kind: kindOf(content),
    text: textOf(content),
    mentions: context?.mentionedJid ?? [],
    ...(context?.stanzaId ? { quotedId: context.stanzaId } : {}),
    ...(context?.expiration ? { ephemeralSeconds: context.expiration } : {}),
    ...(options === undefined ? {} : { options }),
  };
}

/** The part of a message that names an encrypted file. */
export function mediaOf(message: proto.IMessage): MediaPart | undefined {
  const content = normalizeMessageContent(message) ?? {};
  const { imageMessage, videoMessage, audioMessage, documentMessage, stickerMessage } = content;
  if (imageMessage) return { type: 'image', part: imageMessage };
  if (videoMessage) return { type: 'video', part: videoMessage };
  if (audioMessage) return { type: 'audio', part: audioMessage, seconds: audioMessage.seconds ?? 0 };
  if (documentMessage)
    return { type: 'document', part: documentMessage, name: documentMessage.fileName ?? '' };
  if (stickerMessage) return { type: 'sticker', part: stickerMessage };
  return undefined;
}

export interface MediaPart {
  readonly type: 'image' | 'video' | 'audio' | 'document' | 'sticker';
  readonly part: {
    url?: string | null;
    directPath?: string | null;
    mimetype?: string | null;
    mediaKey?: Uint8Array | null;
    fileSha256?: Uint8Array | null;
    fileEncSha256?: Uint8Array | null;
  };
  readonly name?: string;
  readonly seconds?: number;
}

function about(kind: MessageKind, text: string, key: proto.IMessageKey | null | undefined): Reading {
  return { kind, text, mentions: [], targetId: key?.id ?? '' };
}

function kindOf(content: proto.IMessage): MessageKind {
  if (pollOf(content) !== undefined) return 'poll';
  if (content.audioMessage) return content.audioMessage.ptt === true ? 'voice' : 'audio';
  if (content.conversation || content.extendedTextMessage) return 'text';
  if (content.locationMessage || content.liveLocationMessage) return 'location';
  if (content.contactMessage || content.contactsArrayMessage) return 'contact';
  return mediaOf(content)?.type ?? 'other';
}

function textOf(content: proto.IMessage): string {
  return (
    content.conversation ||
    content.extendedTextMessage?.text ||
    content.imageMessage?.caption ||
    content.videoMessage?.caption ||
    content.documentMessage?.caption ||
    content.locationMessage?.name ||
    content.contactMessage?.displayName ||
    pollOf(content)?.name ||
    ''
  );
}

function pollOf(content: proto.IMessage): proto.Message.IPollCreationMessage | undefined {
  const { pollCreationMessage, pollCreationMessageV2, pollCreationMessageV3 } = content;
  return pollCreationMessage ?? pollCreationMessageV2 ?? pollCreationMessageV3 ?? undefined;
}

function contextOf(content: proto.IMessage): proto.IContextInfo | undefined {
  const type = getContentType(content);
  const part: unknown = type === undefined ? undefined : content[type];
  if (typeof part !== 'object' || part === null || !('contextInfo' in part)) return undefined;
  // Every part of a message that has this field has it with this shape.
  return (part.contextInfo as proto.IContextInfo | null) ?? undefined;
}
