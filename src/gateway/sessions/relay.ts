import type { PreviewHandle } from '../../core/outbound.js';
import type { PlatformAdapter } from '../../core/platform.js';
import type { Route } from '../../core/route.js';
import type { TurnEvent } from '../../core/turn.js';
import { DirectiveFilter } from '../media/directive-filter.js';
import type { PreviewWriter } from '../outbound/preview.js';
import { RedactStream } from '../outbound/redact-stream.js';

interface RelayOptions {
  readonly route: Route;
  readonly adapter: PlatformAdapter | undefined;
  readonly redact: (text: string) => string;
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
  readonly #deltas: RedactStream;
  /** Tags that name files are never seen, not even for a moment. */
  #filter = new DirectiveFilter();
  #text = '';

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#deltas = new RedactStream(options.redact);
  }

  show(event: TurnEvent): void {
    const { createPreview } = this.#options;
    if (event.type === 'text-delta') {
      const text = this.#filter.push(event.text);
      if (text === '') return;
      this.#text += text;
      this.#publish({ ...event, text: this.#deltas.push(text) });
      this.#preview ??= createPreview();
      this.#preview?.update(this.#text);
      return;
    }
    if (event.type === 'text-reset') {
      this.#text = '';
      this.#filter = new DirectiveFilter();
      this.#deltas.reset();
    } else if (event.type === 'step-end' || event.type === 'turn-end') {
      this.#publish({ type: 'text-delta', turn: event.turn, text: this.#deltas.end() });
    }
    this.#publish(this.#redacted(event));
  }

  #publish(event: TurnEvent): void {
    const { adapter, route } = this.#options;
    if (event.type === 'text-delta' && event.text === '') return;
    adapter?.progress?.publish(route, event);
  }

  #redacted(event: TurnEvent): TurnEvent {
    const { redact } = this.#options;
    if ('summary' in event) return { ...event, summary: redact(event.summary) };
    return 'text' in event ? { ...event, text: redact(event.text) } : event;
  }

  /** The segment is complete: its preview, for the final text to take over. */
  async endSegment(): Promise<PreviewHandle | undefined> {
    const preview = this.#preview;
    this.#preview = undefined;
    this.#text = '';
    this.#filter = new DirectiveFilter();
    return preview?.finish();
  }
}
