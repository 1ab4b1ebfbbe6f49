import type { StoredFile } from '../../src/core/parts.js';
import type { Heard, Spoken, VoiceService } from '../../src/core/voice.js';

/** Speech without sound: what is heard and how speaking ends is scripted. By itself it does not listen. */
export class ScriptedVoice implements VoiceService {
  listens = false;
  isEchoed = false;
  maxMs = 60_000;
  mode: VoiceService['mode'] = 'off';
  /** For the next recordings, in order; each may come later. An empty list: silence. */
  readonly heard: (Heard | Promise<Heard>)[] = [];
  readonly listenedTo: StoredFile[] = [];
  readonly spoken: { readonly ear: string; readonly voice?: string }[] = [];
  /** How the next speaking ends. */
  readonly outcomes: (Spoken | Promise<Spoken>)[] = [];
  trouble: readonly string[] = [];

  async hear(recording: StoredFile, { signal }: { readonly signal: AbortSignal }): Promise<Heard> {
    this.listenedTo.push(recording);
    const next = this.heard.shift() ?? { type: 'silence' as const };
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    return Promise.race([next, aborted]);
  }

  async prepare(markdown: string) {
    return { text: markdown.replaceAll('*', ''), isWhole: !markdown.includes('```') };
  }

  async speak(
    ear: string,
    { signal, voice }: { readonly signal: AbortSignal; readonly voice?: string },
  ): Promise<Spoken> {
    this.spoken.push({ ear, ...(voice !== undefined && { voice }) });
    const next = this.outcomes.shift() ?? aSpeech();
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    return Promise.race([next, aborted]);
  }

  async toVoice(file: StoredFile) {
    return { part: { type: 'media' as const, kind: 'voice' as const, file } };
  }

  async voices() {
    return [
      { name: 'Ann', language: 'en' },
      { name: 'Berta', language: 'de' },
    ];
  }

  async problems() {
    return this.trouble;
  }
}

/** A voice message that was made. */
const aSpeech = (remarks: readonly string[] = []): Spoken => ({
  type: 'speech',
  part: {
    type: 'media',
    kind: 'voice',
    file: {
      path: '/spool/voice.ogg',
      fileName: 'voice.ogg',
      mimeType: 'audio/ogg',
      sizeBytes: 100,
      durationMs: 1_000,
    },
  },
  remarks,
});
