/** The voices of Microsoft Edge, which need no key, through msedge-tts. */

import { MsEdgeTTS, OUTPUT_FORMAT } from 'msedge-tts';
import { ToolError } from '../../core/errors.js';
import { engineError, unreachable } from '../engine-error.js';
import { writeSound } from './sound-file.js';
import type { Synthesiser } from './synthesiser.js';

/** The service ends longer requests; a paragraph fits. */
const MAX_UNITS = 3_000;

const usualVoices: Readonly<Record<string, string>> = {
  ar: 'ar-SA-ZariyahNeural',
  de: 'de-DE-KatjaNeural',
  el: 'el-GR-AthinaNeural',
  en: 'en-US-AriaNeural',
  es: 'es-ES-ElviraNeural',
  fr: 'fr-FR-DeniseNeural',
  he: 'he-IL-HilaNeural',
  hi: 'hi-IN-SwaraNeural',
  it: 'it-IT-ElsaNeural',
  ja: 'ja-JP-NanamiNeural',
  ko: 'ko-KR-SunHiNeural',
  nl: 'nl-NL-ColetteNeural',
  pl: 'pl-PL-ZofiaNeural',
  pt: 'pt-BR-FranciscaNeural',
  ru: 'ru-RU-SvetlanaNeural',
  sv: 'sv-SE-SofieNeural',
  th: 'th-TH-PremwadeeNeural',
  tr: 'tr-TR-EmelNeural',
  uk: 'uk-UA-PolinaNeural',
  zh: 'zh-CN-XiaoxiaoNeural',
};

/** The package writes texts into XML as they are. What XML 1.0 has no place for is left out. */
export const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');

/** The service's name for a voice: a language, a region and a name. */
const isVoiceName = (voice: string): boolean => /^[a-z]{2,3}-[A-Za-z]{2,4}-[\w()-]+$/u.test(voice);

const pointTo = (endpoint: string | undefined): void => {
  // The package keeps the address as a static of the class, which is writable but private to its types.
  if (endpoint !== undefined) Reflect.set(MsEdgeTTS, 'WSS_URL', endpoint.replace(/\/+$/u, ''));
};

export const createEdgeSynthesiser = ({ endpoint }: { readonly endpoint?: string }): Synthesiser => ({
  name: 'edge',
  maxUnits: MAX_UNITS,
  voiceFor: (language) => usualVoices[language] ?? 'en-US-AriaNeural',
  speak: async (text, { voice, folder, signal }) => {
    if (!isVoiceName(voice)) throw engineError(`edge has no voice “${voice}”`);
    signal.throwIfAborted();
    pointTo(endpoint);
    const service = new MsEdgeTTS();
    const close = (): void => service.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      await connected(service, voice, signal);
      const { audioStream } = service.toStream(escapeXml(text));
      const onAbort = (): void => void audioStream.destroy(new Error('aborted'));
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        return await writeSound('edge', audioStream, { folder, extension: '.mp3' });
      } finally {
        signal.removeEventListener('abort', onAbort);
        // Without a listener a late failure of the connection would end the process.
        audioStream.on('error', () => {});
      }
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof ToolError ? error : unreachable('edge', error);
    } finally {
      signal.removeEventListener('abort', close);
      close();
    }
  },
  voices: async ({ signal }) => {
    signal.throwIfAborted();
    const known = Object.values(usualVoices).map((name) => ({ name, language: name.split('-', 1)[0] ?? '' }));
    // A service of the operator's own has no list of voices.
    if (endpoint !== undefined) return known;
    try {
      const all = await new MsEdgeTTS().getVoices();
      return all.map(({ ShortName, Locale }) => ({ name: ShortName, language: Locale }));
    } catch {
      return known;
    }
  },
});

/** The package waits for ever for a server that takes the connection and says nothing. */
const connected = (service: MsEdgeTTS, voice: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    service
      .setMetadata(voice, OUTPUT_FORMAT.AUDIO_24KHZ_48KBITRATE_MONO_MP3, {})
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
