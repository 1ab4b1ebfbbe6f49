import type { PreviewHandle } from '../../core/outbound.js';
import type { PlatformAdapter } from '../../core/platform.js';
import type { Route } from '../../core/route.js';
import type { TurnEvent } from '../../core/turn.js';
import type { PreviewWriter } from '../outbound/preview.js';

interface RelayOptions {
  readonly route: Route;
  readonly adapter: PlatformAdapter | undefined;
  /** A fresh preview for the next segment; undefined where previews are off. */
  createPreview(): PreviewWriter | undefined;
}

/**
 * Shows a turn while it runs: to a page as events, to a chat as a growing message. A segment is the text of one
 * step; a step that calls tools ends it, and what follows is a message of its own.
 */
export class TurnRelay {
  readonly #options: RelayOptions;
  #preview: PreviewWriter | undefined;
  #text = '';

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  show(event: TurnEvent): void {
    const { adapter, route, createPreview } = this.#options;
    adapter?.progress?.publish(route, event);
    if (event.type === 'text-reset') this.#text = '';
    if (event.type !== 'text-delta') return;
    this.#text += event.text;
    this.#preview ??= createPreview();
    this.#preview?.update(this.#text);
  }

  /** The segment is complete: its preview, for the final text to take over. */
  async endSegment(): Promise<PreviewHandle | undefined> {
    const preview = this.#preview;
    this.#preview = undefined;
    this.#text = '';
    return preview?.finish();
  }
}
