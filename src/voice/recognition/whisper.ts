/**
 * Recognition inside the gateway by whisper.cpp, through a package that brings its binary. The package is not installed
 * with the gateway: with a model it takes hundreds of megabytes, and most use a service or a command.
 */
import { createRequire } from 'node:module';
import * as z from 'zod';
import type { CommandEngine } from '../../core/voice-settings.js';
import { engineError } from '../engine-error.js';
import type { Recogniser } from './recogniser.js';

export const whisperPackage = '@fugood/whisper.node';

/** What of the package is used. */
const binding = z.object({
  initWhisper: z.custom<(options: { readonly filePath: string }) => Promise<WhisperContext>>(
    (value) => typeof value === 'function',
  ),
});

interface WhisperContext {
  transcribeFile(
    path: string,
    options: { readonly language?: string },
  ): { readonly promise: Promise<{ readonly result?: string }>; stop?(): Promise<void> };
}

const require = createRequire(import.meta.url);

const load = (): z.output<typeof binding> => {
  let loaded: unknown;
  try {
    loaded = require(whisperPackage);
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
    const why = isAbsent
      ? 'is not installed'
      : `cannot be loaded (${error instanceof Error ? error.message : '?'})`;
    throw engineError(
      `the package ${whisperPackage} ${why}: \`npm install -g ${whisperPackage}\` beside the gateway, or write \`stt.local.command\``,
    );
  }
  const parsed = binding.safeParse(loaded);
  if (!parsed.success)
    throw engineError(`the package ${whisperPackage} is of a version that is not known here`);
  return parsed.data;
};

export const createWhisperRecogniser = ({ model }: CommandEngine): Recogniser => {
  let context: Promise<WhisperContext> | undefined;
  return {
    name: 'whisper.cpp',
    takes: new Set(),
    maxBytes: Number.POSITIVE_INFINITY,
    recognise: async ({ path }, { language, signal }) => {
      if (model === undefined)
        throw engineError('no model is set: write the path of a whisper.cpp model file as `stt.local.model`');
      const { initWhisper } = load();
      context ??= initWhisper({ filePath: model });
      const ready = await context.catch((error: unknown) => {
        context = undefined;
        throw engineError(
          `the model ${model} cannot be loaded (${error instanceof Error ? error.message : String(error)})`,
        );
      });
      const work = ready.transcribeFile(path, language === undefined ? {} : { language });
      const stop = (): void => void work.stop?.();
      signal.addEventListener('abort', stop, { once: true });
      try {
        const { result = '' } = await work.promise;
        signal.throwIfAborted();
        return result;
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
  };
};
