/**
 * The log on disk: appended line by line, in order, with the line handed to the operating system before the call
 * returns, so that a process that ends right afterwards has lost nothing. A full disk costs lines, never the gateway.
 */
import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

/** 10 MB, and three files of it, hold some weeks of a busy gateway. */
const MAX_BYTES = 10 * 1024 * 1024;
const OLD_FILES = 2;

export interface LogFile {
  /** `line` ends with a line break. Never throws. */
  write(line: string): void;
  close(): void;
}

interface LogFileOptions {
  readonly maxBytes?: number;
  /** Called with the reason when writing begins to fail, once until it works again. */
  readonly onTrouble: (error: unknown) => void;
}

const rotate = (path: string): void => {
  for (let number = OLD_FILES; number >= 1; number -= 1) {
    try {
      renameSync(number === 1 ? path : `${path}.${number - 1}`, `${path}.${number}`);
    } catch {
      // Not there yet.
    }
  }
};

/** Opens the file at the first line. */
export const createLogFile = (path: string, { maxBytes = MAX_BYTES, onTrouble }: LogFileOptions): LogFile => {
  let file: { readonly descriptor: number; bytes: number } | undefined;
  let isFailing = false;

  const close = (): void => {
    if (file !== undefined) closeSync(file.descriptor);
    file = undefined;
  };
  const open = () => {
    const descriptor = openSync(path, 'a', 0o600);
    return { descriptor, bytes: fstatSync(descriptor).size };
  };
  const append = (line: string): void => {
    file ??= open();
    const bytes = Buffer.byteLength(line);
    if (file.bytes > 0 && file.bytes + bytes > maxBytes) {
      close();
      rotate(path);
      file = open();
    }
    writeSync(file.descriptor, line);
    file.bytes += bytes;
  };
  return {
    write: (line) => {
      try {
        append(line);
        isFailing = false;
      } catch (error) {
        if (!isFailing) onTrouble(error);
        isFailing = true;
      }
    },
    close,
  };
};
