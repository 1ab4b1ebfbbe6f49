/** Spoken texts as kept files, for tools. */
import { createReadStream } from 'node:fs';
import { never, ToolError } from '../core/errors.js';
import type { MediaStore } from '../core/media.js';
import type { SpeechService } from '../core/tool.js';
import type { VoiceService } from '../core/voice.js';

const fail = (message: string): never => {
  throw new ToolError({ code: 'failed', message, retry: never });
};

export const createSpeechFiles = (
  voice: Pick<VoiceService, 'prepare' | 'speak'>,
  media: Pick<MediaStore, 'keep' | 'release'>,
): SpeechService => ({
  say: async (markdown, { signal, voice: name }) => {
    const { text } = await voice.prepare(markdown);
    if (text === '') return fail('Nothing was said: there is nothing in the text that can be said aloud.');
    const spoken = await voice.speak(text, { signal, ...(name !== undefined && { voice: name }) });
    if (spoken.type === 'failed') return fail(`Nothing was said: ${spoken.reason}.`);
    const { path, fileName, mimeType, sizeBytes, durationMs } = spoken.part.file;
    try {
      const request = { kind: 'voice', fileName, mimeType, maxBytes: sizeBytes } as const;
      const kept = await media.keep(request, createReadStream(path), { signal });
      const file = durationMs === undefined ? kept : { ...kept, durationMs };
      return { file, remarks: spoken.remarks };
    } finally {
      await media.release([path]);
    }
  },
});
