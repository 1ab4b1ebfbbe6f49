import type { VoiceInfo } from '../../core/voice.js';
import { type VoiceMode, voiceModes } from '../../core/voice-settings.js';
import type { SpeechForm } from '../voice/speech-policy.js';
import type { Command, VoiceControls } from './command.js';

const meanings: Readonly<Record<VoiceMode, string>> = {
  off: 'I write',
  on: 'I speak in answer to voice messages',
  always: 'I speak every answer',
};

const forms: Readonly<Record<SpeechForm, string>> = {
  both: 'and write it too',
  voice: 'and write only what speech leaves out',
};

/** Words that mean the same, as other agents have them. */
const modeWords: Readonly<Record<string, VoiceMode>> = { tts: 'always', all: 'always' };
const formWords: Readonly<Record<string, SpeechForm>> = { only: 'voice', text: 'both', both: 'both' };

/** More would be a wall of names. */
const MAX_LISTED = 40;

const describe = ({ mode, form, name }: ReturnType<VoiceControls['current']>): string => {
  if (mode === 'off') return `${meanings.off}.`;
  return `${meanings[mode]}, ${forms[form]}${name === undefined ? '' : `, with the voice ${name}`}.`;
};

const usage = [
  ...voiceModes.map((mode) => `- /voice ${mode} – ${meanings[mode]}`),
  '- /voice only, /voice text – without or with the text beside it',
  '- /voice list – the voices there are; /voice NAME takes one, /voice default the usual',
].join('\n');

const options = voiceModes.map((mode) => ({ label: meanings[mode], line: `/voice ${mode}` }));

const formatVoices = (voices: readonly VoiceInfo[], language: string): string => {
  const wanted = voices.filter((one) =>
    (one.language ?? '').toLowerCase().startsWith(language.toLowerCase()),
  );
  if (voices.length === 0) return 'I cannot ask for the voices now.';
  if (wanted.length === 0) return `There is no voice for ‘${language}’. /voice list shows all.`;
  const names = wanted.slice(0, MAX_LISTED).map(({ name }) => `- \`${name}\``);
  const more = wanted.length - names.length;
  const rest = more > 0 ? [`${more} more: name a language, e.g. /voice list de`] : [];
  return ['/voice NAME takes one of these:', ...names, ...rest].join('\n');
};

const choose = async (name: string, voice: VoiceControls): Promise<string> => {
  const known = await voice.list();
  const found = known.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (found === undefined) return `I know no voice ‘${name}’. /voice list shows them.\n\n${usage}`;
  await voice.set({ name: found.name });
  return `My voice here is ${found.name} now. ${describe(voice.current())}`;
};

export const voice: Command = {
  name: 'voice',
  description: 'Whether I speak, and how',
  run: async ({ args, event, isOwner, voice: controls }) => {
    const [word = '', ...rest] = args.split(/\s+/u);
    const name = word.toLowerCase();
    const mayChange = event.origin.chatKind === 'direct' || isOwner;
    const now = `Now: ${describe(controls.current())}`;
    if (name === '') return mayChange ? { text: `${now} Or rather:`, options } : `${now}\n\n${usage}`;
    if (name === 'list') return formatVoices(await controls.list(), rest[0] ?? '');
    if (!mayChange) return 'In a group only an owner can change this.';
    const mode = voiceModes.find((one) => one === name) ?? modeWords[name];
    const form = formWords[name];
    if (mode !== undefined) await controls.set({ mode });
    else if (form !== undefined) await controls.set({ form });
    else if (name === 'default') await controls.set({ mode: undefined, form: undefined, name: undefined });
    else return choose(args, controls);
    return `From now on in this chat: ${describe(controls.current())}`;
  },
};
