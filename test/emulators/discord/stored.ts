/** What a world keeps. */
import type { Standing } from './protocol.js';

export interface User {
  readonly id: string;
  readonly username: string;
  readonly global_name?: string;
  readonly bot: boolean;
}

export interface StoredGuild {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly { readonly id: string; readonly name: string }[];
  readonly members: Map<string, readonly string[]>;
}

export interface StoredChannel {
  readonly id: string;
  readonly name: string;
  readonly type: number;
  readonly standing: Standing;
  readonly parent_id?: string;
  readonly guildId: string | undefined;
  recipientId: string | undefined;
  readonly messageIds: string[];
}

export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly durationSeconds?: number;
  readonly waveform?: string;
}

export interface StoredMessage {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  content: string;
  readonly type: number;
  flags: number;
  readonly timestamp: string;
  attachments: readonly StoredFile[];
  embeds: readonly unknown[];
  components: readonly unknown[];
  readonly replyTo?: string;
  readonly nonce?: string;
  readonly webhookId?: string;
  readonly snapshot?: string;
  readonly stickers?: readonly string[];
  allowedMentions?: unknown;
  readonly reactions: Set<string>;
  deleted: boolean;
  edits: number;
  editedAt?: string;
}
