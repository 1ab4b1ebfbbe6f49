/**
 * What people chose by commands, over what the settings say. Read once at the start and kept in memory, because targets
 * and policies are decided without waiting; the store is written first.
 */
import { type ChatId, type SessionKey, type ThreadId, toChatId, toThreadId } from '../core/ids.js';
import type { PreferenceStore } from '../core/preferences.js';
import type { Route } from '../core/route.js';
import type { Persist } from './persist.js';
import { type BusyPolicy, busyPolicies } from './settings.js';
import { parseVoiceChoice, type VoiceChoice } from './voice/speech-policy.js';

interface PreferencesDeps {
  readonly store: PreferenceStore;
  readonly persist: Persist;
}

export interface HomeAddress {
  readonly chat: ChatId;
  readonly thread?: ThreadId;
}

/** As a target would name it. */
export const formatHome = (platform: string, home: HomeAddress | undefined): string | undefined => {
  if (home === undefined) return undefined;
  return [platform, home.chat, ...(home.thread === undefined ? [] : [home.thread])].join(':');
};

const homeKey = (platform: string): string => `home/${platform}`;
const chatKey = (kind: 'busy' | 'voice', { platform, account, chat }: Route): string =>
  `${kind}/${JSON.stringify([platform, account, chat])}`;
/** Whether a name was made by {@link chatKey}, for this chat under any account. */
const isOfChat = (name: string, platform: string, chat: string): boolean => {
  const [, place] = /^(?:busy|voice)\/(.*)$/su.exec(name) ?? [];
  const parts: readonly unknown[] = place === undefined ? [] : JSON.parse(place);
  return parts[0] === platform && parts[2] === chat;
};
const modelKey = (key: SessionKey): string => `model/${key}`;

/** Undefined for what another version wrote. */
const parseHome = (text: string): HomeAddress | undefined => {
  const [chat, thread]: readonly unknown[] = JSON.parse(text);
  if (typeof chat !== 'string') return undefined;
  return { chat: toChatId(chat), ...(typeof thread === 'string' && { thread: toThreadId(thread) }) };
};

export class Preferences {
  readonly #deps: PreferencesDeps;
  #values = new Map<string, string>();

  constructor(deps: PreferencesDeps) {
    this.#deps = deps;
  }

  async load(): Promise<void> {
    this.#values = new Map(await this.#deps.store.all());
  }

  home(platform: string): HomeAddress | undefined {
    const text = this.#values.get(homeKey(platform));
    return text === undefined ? undefined : parseHome(text);
  }

  setHome({ platform, chat, thread }: Route): Promise<void> {
    return this.#set(homeKey(platform), JSON.stringify(thread === undefined ? [chat] : [chat, thread]));
  }

  busy(route: Route): BusyPolicy | undefined {
    const word = this.#values.get(chatKey('busy', route));
    return busyPolicies.find((policy) => policy === word);
  }

  setBusy(route: Route, policy: BusyPolicy | undefined): Promise<void> {
    return this.#set(chatKey('busy', route), policy);
  }

  /** Nothing: what the settings say. */
  voice(route: Route): VoiceChoice {
    const text = this.#values.get(chatKey('voice', route));
    return text === undefined ? {} : parseVoiceChoice(text);
  }

  setVoice(route: Route, choice: VoiceChoice): Promise<void> {
    const isEmpty = Object.values(choice).every((value) => value === undefined);
    return this.#set(chatKey('voice', route), isEmpty ? undefined : JSON.stringify(choice));
  }

  model(key: SessionKey): string | undefined {
    return this.#values.get(modelKey(key));
  }

  setModel(key: SessionKey, name: string | undefined): Promise<void> {
    return this.#set(modelKey(key), name);
  }

  /** Forgets what was chosen for the conversations of a key. */
  forgetKey(key: SessionKey): Promise<void> {
    return this.#set(modelKey(key), undefined);
  }

  /** Forgets what was chosen for a chat. That it is a home channel stays: others write there. */
  async forgetChat({ platform, chat }: Pick<Route, 'platform' | 'chat'>): Promise<void> {
    for (const name of [...this.#values.keys()])
      if (isOfChat(name, platform, chat)) await this.#set(name, undefined);
  }

  async #set(key: string, value: string | undefined): Promise<void> {
    const { store, persist } = this.#deps;
    if (value === undefined) {
      if (!this.#values.has(key)) return;
      await persist(() => store.remove(key));
      this.#values.delete(key);
      return;
    }
    await persist(() => store.set(key, value));
    this.#values.set(key, value);
  }
}
