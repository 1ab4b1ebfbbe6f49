import type { Clock } from '../../core/clock.js';
import type { IdSource } from '../../core/ids.js';
import type { Logger } from '../../core/logger.js';
import type { StoredFile } from '../../core/parts.js';
import type { Provider } from '../../core/provider.js';

/** How a sentence of a person becomes a tool call of the scripted model, so that a visitor sees tools at work. */
export interface DemoCall {
  readonly pattern: RegExp;
  /** What to write to set it off. */
  readonly example: string;
  toCall(match: RegExpExecArray): { readonly name: string; readonly arguments: object };
}

export interface ProviderSettings {
  /** Where the settings stand, to name keys in messages: `model`, or `providers.local`. */
  readonly settingsPath: string;
  /** Absent: the service's own address. */
  readonly baseUrl?: string;
  /** Absent: none is sent that means anything, which local servers accept. */
  readonly apiKey?: string;
  /** Whether its models see pictures; absent: that is found out. */
  readonly sees?: boolean;
}

/** What a provider is built from besides its settings. */
export interface ProviderPorts {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** Removes every configured secret from a text. Pure. */
  readonly redact: (text: string) => string;
  /** Absent: the global one. */
  readonly fetch?: typeof fetch;
  /** The bytes of a stored picture; undefined if it is gone or larger. Never rejects. Absent: no model sees any. */
  readonly loadImage?: (
    file: StoredFile,
    limits: { readonly maxBytes: number },
  ) => Promise<Uint8Array | undefined>;
  /** What the scripted model can show of the tools; absent: nothing. */
  readonly demoCalls?: readonly DemoCall[];
}

export interface WarmProvider extends Provider {
  /** True for a scripted stand-in: nothing real is connected. */
  readonly isDemo: boolean;
  /** Loads what the first call needs, so that it need not wait. Does not touch the network. */
  warmUp(): Promise<void>;
}

export interface ProviderDefinition {
  /** As `provider` (or a named provider's `type`) spells it in the settings. */
  readonly name: string;
  /** Does no I/O. */
  create(settings: ProviderSettings, ports: ProviderPorts): WarmProvider;
}
