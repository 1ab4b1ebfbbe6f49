import type { Clock } from '../../core/clock.js';
import type { IdSource, PlatformId, SessionKey } from '../../core/ids.js';
import type { InboundMessage } from '../../core/inbound.js';
import type { Logger } from '../../core/logger.js';
import type { MediaStore } from '../../core/media.js';
import type { Delivery } from '../../core/outbound.js';
import type { PlatformAdapter } from '../../core/platform.js';
import type { Origin, Route } from '../../core/route.js';
import type { SkillLibrary } from '../../core/skill.js';
import type { Stores, TurnRecord } from '../../core/stores.js';
import type { Agent } from '../../core/turn.js';
import type { VoiceService } from '../../core/voice.js';
import type { Attach } from '../media/attach.js';
import type { Lane } from '../outbound/lane.js';
import type { Persist } from '../persist.js';
import type { BusyPolicy, GatewayPlatform, GatewaySettings } from '../settings.js';
import type { VoiceChoice } from '../voice/speech-policy.js';
import type { SessionItem } from './items.js';

/** One run of a session's mailbox. */
export interface TurnRun {
  readonly key: SessionKey;
  readonly signal: AbortSignal;
}

export interface SessionDeps {
  readonly stores: Stores;
  readonly skills: SkillLibrary;
  readonly persist: Persist;
  readonly agent: Agent;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly redact: (text: string) => string;
  readonly settings: GatewaySettings;
  platform(id: PlatformId): GatewayPlatform | undefined;
  adapterFor(route: Route): PlatformAdapter | undefined;
  lane(route: Route): Lane;
  /** Aborts when the gateway is down: what is unfinished then is left to the next start. */
  readonly signal: AbortSignal;
  /** Aborts platform calls at the end of a stop's grace time. */
  readonly sendSignal: AbortSignal;
  readonly attach: Attach;
  readonly voice: VoiceService;
  /** What was chosen for a chat about speech. */
  voiceChoice(origin: Origin): VoiceChoice;
  readonly media: Pick<MediaStore, 'keep'>;
  /** Stores deliveries of one chat by `store`, as they are then, and sees them off. */
  deliver(
    deliveries: readonly Delivery[],
    store: (rows: readonly Delivery[]) => Promise<void>,
  ): Promise<void>;
  /** Sends a remark about the turn that is not part of its answer. */
  notify(turn: TurnRecord, text: string): void;
  /** Tells the sender of a message something about it. Never throws. */
  tell(event: InboundMessage, text: string): void;
  /** The session's waiting line, while it has a run. */
  waiting(key: SessionKey): SessionItem[] | undefined;
  busyPolicy(origin: Origin): BusyPolicy;
  /** The model that answers in the key's session. */
  modelOf(key: SessionKey): string;
  /** The platform's home channel as a target. */
  homeOf(platform: PlatformId): string | undefined;
  /** The same place under the first id that its chat had: sessions and preferences are named by it. */
  firstPlace<Place extends Route>(place: Place): Place;
  isStopping(): boolean;
  /** Aborts the session's turn so that the next start takes it up. */
  suspend(key: SessionKey): void;
}
