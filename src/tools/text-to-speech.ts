import * as z from 'zod';
import type { Tool } from '../core/tool.js';

const input = z.object({
  text: z.string().describe('What is said, as it would be written; marks and addresses are left out.'),
  voice: z.string().optional().describe('Name of a voice. Default: the usual one for the language.'),
});

const MAX_SUMMARY = 60;

export const textToSpeech: Tool<z.infer<typeof input>> = {
  name: 'text_to_speech',
  title: 'Speak',
  description:
    'Says a text aloud and keeps the sound as a file. Returns its path and how to send it as a voice message. ' +
    'Not needed where answers are spoken by themselves.',
  category: 'write',
  input,
  mode: 'parallel',
  summarise: ({ text }) => (text.length > MAX_SUMMARY ? `${text.slice(0, MAX_SUMMARY)}…` : text),
  execute: async ({ text, voice }, { services, signal }) => {
    const { file, remarks } = await services.speech.say(text, {
      signal,
      ...(voice !== undefined && { voice }),
    });
    const seconds = file.durationMs === undefined ? '' : ` (${(file.durationMs / 1000).toFixed(1)} s)`;
    const lines = [
      `Saved as ${file.path}${seconds}. Nobody has heard it yet: to send it as a voice message, have these lines in your answer:`,
      `MEDIA:${file.path}`,
      '[[audio_as_voice]]',
      ...remarks,
    ];
    return { text: lines.join('\n'), isError: false };
  },
};
