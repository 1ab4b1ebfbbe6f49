import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PlatformError } from '../../../src/core/errors.js';
import type { JsonValue } from '../../../src/core/json.js';
import { anySignal, createBed, type TelegramBed } from './harness.js';

const MEGABYTE = 1024 * 1024;

const read = async (bed: TelegramBed, handle: JsonValue, maxBytes = MEGABYTE): Promise<Buffer> => {
  const { media } = bed.adapter;
  if (media === undefined) throw new Error('no media facet');
  const pieces: Uint8Array[] = [];
  for await (const piece of await media.fetch(handle, { ...anySignal(), maxBytes })) pieces.push(piece);
  return Buffer.concat(pieces);
};

const failureOf = async (work: Promise<unknown>): Promise<PlatformError> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PlatformError);
  // Just asserted.
  return error as PlatformError;
};

describe('the bytes of a file', () => {
  test('come from the address of the same server', async () => {
    const bed = await createBed();
    const bytes = randomBytes(300_000);
    const { fileId } = await bed.control.addFile({ bytes, fileName: 'a b.bin' });
    expect((await read(bed, { file_id: fileId })).equals(bytes)).toBe(true);
  });

  test('TG-13 too large for the server are refused with the limit in words for the person', async () => {
    const bed = await createBed();
    const { fileId } = await bed.control.addFile({ sizeBytes: 187_000_000, fileName: 'clip.mp4' });
    const error = await failureOf(read(bed, { file_id: fileId }, 1_000 * MEGABYTE));
    expect(error).toMatchObject({ code: 'refused', retry: { kind: 'never' } });
    expect(error.userText).toContain('20 MB');
  });

  test('over our own limit are refused before they are fetched', async () => {
    const bed = await createBed();
    const { fileId } = await bed.control.addFile({ sizeBytes: 3 * MEGABYTE });
    const error = await failureOf(read(bed, { file_id: fileId }, 2 * MEGABYTE));
    expect(error.userText).toBe('This file is too large (3 MB): I take files of at most 2 MB.');
  });

  test('are cut off at our limit if they are more than was said', async () => {
    const bed = await createBed();
    const { fileId } = await bed.control.addFile({ bytes: randomBytes(50_000), sizeBytes: 10 });
    const error = await failureOf(read(bed, { file_id: fileId }, 20_000));
    expect(error).toMatchObject({ code: 'refused', outcome: 'none' });
  });

  test('that are no longer there are refused, and the token is not blamed', async () => {
    const bed = await createBed();
    const { fileId } = await bed.control.addFile({ sizeBytes: 10 });
    expect(await failureOf(read(bed, { file_id: fileId }))).toMatchObject({ code: 'refused' });
  });

  test('can be asked for again when the server is out of order', async () => {
    const bed = await createBed();
    const { fileId } = await bed.control.addFile({ bytes: randomBytes(10) });
    await bed.control.fault({ method: 'getFile' }, { kind: 'drop', applied: false });
    expect((await failureOf(read(bed, { file_id: fileId }))).retry).toEqual({ kind: 'later' });
    expect(await read(bed, { file_id: fileId })).toHaveLength(10);
  });

  test('end with the signal', async () => {
    const bed = await createBed();
    const { fileId } = await bed.control.addFile({ bytes: randomBytes(2_000_000) });
    const stop = new AbortController();
    const bytes = await bed.adapter.media?.fetch(
      { file_id: fileId },
      { signal: stop.signal, maxBytes: 3_000_000 },
    );
    const reason = new Error('called off');
    const reading = (async () => {
      for await (const _piece of bytes ?? []) stop.abort(reason);
    })();
    await expect(reading).rejects.toBe(reason);
  });

  test.each([[{}], ['x'], [null], [{ file_id: 7 }]])(
    'of a handle that names none are refused: %j',
    async (handle) => {
      const bed = await createBed();
      expect((await failureOf(read(bed, handle))).code).toBe('refused');
    },
  );
});

describe('a server on this host', () => {
  const localFile = async (bytes: Uint8Array): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'hermes-bot-api-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, 'voice 1.oga');
    await writeFile(path, bytes);
    return path;
  };

  test('names its files, which are read where they are', async () => {
    const bed = await createBed({}, { local_api: true });
    const bytes = randomBytes(70_000);
    const { fileId } = await bed.control.addFile({ path: await localFile(bytes), sizeBytes: bytes.length });
    expect((await read(bed, { file_id: fileId })).equals(bytes)).toBe(true);
  });

  test('is not believed the size of a file', async () => {
    const bed = await createBed({}, { local_api: true });
    const { fileId } = await bed.control.addFile({
      path: await localFile(randomBytes(70_000)),
      sizeBytes: 5,
    });
    expect((await failureOf(read(bed, { file_id: fileId }, 60_000))).code).toBe('refused');
  });

  test('that was not announced reads nothing of this host', async () => {
    const bed = await createBed();
    const { fileId } = await bed.control.addFile({ path: await localFile(randomBytes(10)), sizeBytes: 10 });
    const error = await failureOf(read(bed, { file_id: fileId }));
    expect(error).toMatchObject({ code: 'refused' });
    expect(error.message).toContain('local_api');
  });
});
