import type { z } from 'zod';
import type { GrantTopic } from './approval.js';
import type { Caller } from './caller.js';
import type { Clock } from './clock.js';
import type { CommandService } from './commands.js';
import type { FileEdits, FileStamp } from './file-edits.js';
import type { Floor } from './floor.js';
import type { CorrelationId, SessionId, ToolCallId, TurnId } from './ids.js';
import type { JobService } from './job-service.js';
import type { Logger } from './logger.js';
import type { MemoryStore } from './memory.js';
import type { StoredFile } from './parts.js';
import type { Category } from './permission.js';
import type { RecallService } from './recall.js';
import type { ChatKind } from './route.js';
import type { WorkspaceSearch } from './search.js';
import type { SkillEditor, SkillLibrary } from './skill.js';

export type { Caller } from './caller.js';

/** What became of a message that a tool sent: one entry per target, in order. */
export interface ToolDelivery {
  /** The target's readable form. */
  readonly target: string;
  /** `waiting`: nobody waited for its end; it stays in the outbox and goes its way. */
  readonly state: 'sent' | 'failed' | 'unknown' | 'waiting';
  /** Platform message ids if sent, else the reason. */
  readonly detail: string;
}

/** Where a target would lead, without sending. */
export type TargetCheck =
  | { readonly ok: true; readonly isOwnChatOrHome: boolean }
  | { readonly ok: false; readonly problem: string };

/** A chat that can be written to by its name. */
export interface KnownTarget {
  /** By label, e.g. `matrix:#general`. */
  readonly target: string;
  /** By id, e.g. `matrix:12345`. */
  readonly id: string;
  readonly kind: ChatKind;
}

/** Delivery as tools see it. Never throws for a bad target: the result says what is wrong. */
export interface MessagingService {
  check(targets: string, caller: Caller): TargetCheck;
  /** Chats that the caller may know of, the latest used first. */
  targets(caller: Caller): readonly KnownTarget[];
  /** Resolves when every target has its receipt or its failure. */
  send(
    request: {
      readonly targets: string;
      readonly text: string;
      readonly key: string;
      readonly correlation: CorrelationId;
    },
    caller: Caller,
    options: { readonly signal: AbortSignal },
  ): Promise<readonly ToolDelivery[]>;
}

/** The workspace folder. Paths are relative to it or absolute inside it; anything else is a ToolError. */
export interface WorkspaceFiles {
  /** Opens the very file it checked (links resolved, regular, inside, no secret) and reads up to `maxBytes` of it. */
  read(
    path: string,
    limits: { readonly maxBytes: number },
  ): Promise<{ readonly bytes: Uint8Array; readonly sizeBytes: number; readonly stamp: FileStamp }>;
  list(path: string): Promise<readonly string[]>;
}

export interface TodoItem {
  readonly id: string;
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled';
}

/** A session's task list. Survives restarts; `/new` begins an empty one. */
export interface TodoStore {
  load(session: SessionId): Promise<readonly TodoItem[]>;
  save(session: SessionId, items: readonly TodoItem[]): Promise<void>;
}

/** Keeps pictures that a tool found, so that models see them as long as the conversation is of them. */
export interface PictureStore {
  /** Rejects with a ToolError, or with the signal's reason. */
  keep(
    picture: { readonly bytes: Uint8Array; readonly fileName: string },
    options: { readonly signal: AbortSignal },
  ): Promise<StoredFile>;
}

/** Says texts aloud into files. */
export interface SpeechService {
  /** A kept sound file. Rejects with a ToolError, or with the signal's reason. `remarks`: what is odd about it. */
  say(
    markdown: string,
    options: { readonly signal: AbortSignal; readonly voice?: string },
  ): Promise<{ readonly file: StoredFile; readonly remarks: readonly string[] }>;
}

export interface ToolServices {
  readonly messaging: MessagingService;
  readonly files: WorkspaceFiles;
  readonly edits: FileEdits;
  readonly commands: CommandService;
  readonly search: WorkspaceSearch;
  readonly pictures: PictureStore;
  readonly speech: SpeechService;
  readonly todos: TodoStore;
  readonly memory: MemoryStore;
  readonly recall: RecallService;
  readonly jobs: JobService;
  readonly skills: SkillLibrary & { readonly editor: SkillEditor };
  /** What nobody may allow. */
  readonly floor: Floor;
}

export interface ToolContext {
  readonly signal: AbortSignal;
  readonly caller: Caller;
  readonly session: SessionId;
  readonly turn: TurnId;
  readonly call: ToolCallId;
  readonly correlation: CorrelationId;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly services: ToolServices;
}

export interface ToolOutcome {
  readonly text: string;
  readonly isError: boolean;
  /** Kept pictures for the model to see; one that sees none reads a note instead. */
  readonly images?: readonly StoredFile[];
}

export interface Tool<Input = unknown> {
  /** Snake case; also the name of its file, hyphens for underscores. */
  readonly name: string;
  readonly title: string;
  /** For the model: what it does, when to use it, what it returns. */
  readonly description: string;
  readonly category: Category;
  /** True for the few tools that never need permission whatever the level (contract, "Permissions"). */
  readonly neverAsks?: boolean;
  readonly input: z.ZodType<Input>;
  /** `parallel`: may run beside other calls of the same step. `exclusive`: runs alone. */
  readonly mode: 'parallel' | 'exclusive';
  /** Raises the category by the arguments; a lower answer than `category` is ignored. Pure apart from `check`. */
  categoryOf?(input: Input, context: ToolContext): Category;
  /** Why nobody may allow this call, in a sentence; undefined: it goes by the level. Pure apart from `floor` and `check`. */
  forbids?(input: Input, context: ToolContext): string | undefined;
  /**
   * What “this session” and “always” cover besides this call; undefined: nothing, every call is asked about anew. A tool
   * without the method is allowed as a whole. Pure.
   */
  grantOf?(input: Input, context: ToolContext): GrantTopic | undefined;
  /**
   * What a person reads before they allow the call, plain text: the command, a diff. Absent: the arguments by name. A
   * ToolError refuses the call before anybody is asked.
   */
  present?(input: Input, context: ToolContext): Promise<string> | string;
  /** A sentence of warning for the same reader, e.g. that files are deleted; undefined: none. Pure. */
  riskOf?(input: Input, context: ToolContext): string | undefined;
  /** One line for people about this call, e.g. `notes.txt`; at most 80 characters. */
  summarise?(input: Input): string;
  /** May throw a ToolError (told to the model) or the signal's reason; anything else is a bug and is told as one. */
  execute(input: Input, context: ToolContext): Promise<ToolOutcome>;
}
