/** Who listens and who speaks, of what the file says. */
import type { RecognitionEngine, SynthesisEngine, VoiceSettings } from '../core/voice-settings.js';
import { expandPath } from './home-paths.js';
import type { SpeechToText, TextToSpeech } from './voice-sections.js';

/** Where programs are, if the environment does not say. */
const USUAL_FOLDERS = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin';

interface RemoteSection {
  readonly base_url?: string | undefined;
  readonly api_key?: string | undefined;
  readonly model?: string | undefined;
}

interface CommandSection {
  readonly command?: string | readonly string[] | undefined;
  readonly model?: string | undefined;
}

const filled = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text.trim();

const toRemote = ({ base_url, api_key, model }: RemoteSection = {}) => {
  const [baseUrl, apiKey, name] = [filled(base_url)?.replace(/\/+$/u, ''), filled(api_key), filled(model)];
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(apiKey !== undefined && { apiKey }),
    ...(name !== undefined && { model: name }),
  };
};

/** A file where it looks like one; engines have models by name too. */
const toFileOrName = (text: string, home: string): string =>
  /^[~./]|\.(?:bin|gguf|onnx)$/u.test(text) ? expandPath(text, home) : text;

const toCommand = ({ command, model }: CommandSection = {}, home: string) => {
  const list = typeof command === 'string' ? command.trim().split(/\s+/u) : (command ?? []);
  const kept = list.filter((word) => word !== '');
  const name = filled(model);
  return {
    ...(kept.length > 0 && { command: kept }),
    ...(name !== undefined && { model: toFileOrName(name, home) }),
  };
};

const toRecognition = (
  name: RecognitionEngine['type'],
  section: SpeechToText,
  home: string,
): RecognitionEngine => {
  if (name !== 'local') return { type: name, ...toRemote(section[name]) };
  const grammar = filled(section.local?.grammar);
  return {
    type: name,
    ...toCommand(section.local, home),
    ...(grammar !== undefined && { grammar: expandPath(grammar, home) }),
  };
};

const toSynthesis = (name: SynthesisEngine['type'], section: TextToSpeech, home: string): SynthesisEngine => {
  switch (name) {
    case 'edge': {
      const endpoint = filled(section.edge?.endpoint);
      return { type: name, ...(endpoint !== undefined && { endpoint }) };
    }
    case 'local':
      return { type: name, ...toCommand(section.local, home) };
    case 'openai':
    case 'elevenlabs':
      return { type: name, ...toRemote(section[name]) };
  }
};

/** Who listens where nobody is named: whoever was given what it needs. */
const listenerOf = ({
  provider,
  groq,
  openai,
  local,
}: SpeechToText): RecognitionEngine['type'] | undefined => {
  if (provider !== undefined) return provider;
  if (filled(groq?.api_key) !== undefined) return 'groq';
  if (filled(openai?.api_key) !== undefined || filled(openai?.base_url) !== undefined) return 'openai';
  const { command, model } = toCommand(local, '/');
  return command !== undefined || model !== undefined ? 'local' : undefined;
};

export const resolveVoice = (
  { stt, tts }: { readonly stt: SpeechToText; readonly tts: TextToSpeech },
  { home, searchPath }: { readonly home: string; readonly searchPath: string | undefined },
): VoiceSettings => {
  const listener = listenerOf(stt);
  const listeners = new Set([...(listener === undefined ? [] : [listener]), ...stt.fallback]);
  const speakers = new Set([tts.provider, ...tts.fallback]);
  const voice = filled(tts.voice);
  return {
    recognition: {
      engines: [...listeners].map((name) => toRecognition(name, stt, home)),
      ...(stt.language !== undefined && { language: stt.language }),
      maxMs: stt.max_minutes * 60_000,
      isEchoed: stt.echo,
    },
    synthesis: {
      engines: [...speakers].map((name) => toSynthesis(name, tts, home)),
      mode: tts.mode,
      ...(voice !== undefined && { voice }),
      voices: tts.voices,
    },
    programFolders: (searchPath ?? USUAL_FOLDERS).split(':').filter((folder) => folder.startsWith('/')),
  };
};
