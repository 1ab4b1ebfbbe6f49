import type { SessionId, ToolCallId } from './ids.js';

/** A file as it was at one moment. */
export interface FileStamp {
  /** Absolute, links resolved. */
  readonly path: string;
  /** Differs once the file was changed; `absent` for one that is not there. */
  readonly version: string;
}

/** Who looks at files: a session, which knows what it read, and a call, whose user was shown what it would change. */
export interface FileReader {
  readonly session: SessionId;
  readonly call: ToolCallId;
}

export interface EditableFile extends FileStamp {
  /** Absent: there is no such file yet. */
  readonly bytes?: Uint8Array;
}

/**
 * Changes to files of the workspace. Paths are relative to it or absolute inside it; anything else, secrets and what no
 * permission lifts are a ToolError that says what to do instead, and then nothing was changed.
 */
export interface FileEdits {
  /** Where a path leads, links resolved as far as it exists. Judges nothing. */
  locate(path: string): string;
  /** The session knows the file as it is in the stamp. */
  noteRead(session: SessionId, stamp: FileStamp): void;
  /** The user of this call was shown what becomes of the file as it is in the stamp. */
  noteShown(reader: FileReader, stamp: FileStamp): void;
  /** What is there now. Rejects where that is not what the reader knows: it would overwrite somebody's work unseen. */
  load(path: string, reader: FileReader): Promise<EditableFile>;
  /**
   * Replaces the whole file at once, or makes it with its folders. Rejects if the file is no longer as in the stamp.
   * The session then knows the new one.
   */
  write(stamp: FileStamp, bytes: Uint8Array, reader: FileReader): Promise<void>;
  /** Rejects like `write`. */
  remove(stamp: FileStamp, reader: FileReader): Promise<void>;
}
