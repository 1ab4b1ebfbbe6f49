/** What was allowed for more than one call. Kept in memory whole, as it is looked at for every call. */
import type { GrantTopic } from '../../core/approval.js';
import type { Grant, GrantStore } from '../../core/grant.js';
import { type SessionId, toGrantId } from '../../core/ids.js';
import { type Category, categories } from '../../core/permission.js';
import type { Persist } from '../persist.js';

interface GrantsDeps {
  readonly store: GrantStore;
  readonly persist: Persist;
}

/** What a call needs. */
export interface Needed {
  readonly holder: string;
  readonly tool: string;
  readonly category: Category;
  readonly topic: GrantTopic;
  readonly session: SessionId;
}

const placeOf = (holder: string, tool: string): string => JSON.stringify([holder, tool]);

const weight = (category: Category): number => categories.indexOf(category);

export class Grants {
  readonly #deps: GrantsDeps;
  readonly #byPlace = new Map<string, readonly Grant[]>();

  constructor(deps: GrantsDeps) {
    this.#deps = deps;
  }

  /** Oldest first. */
  get all(): readonly Grant[] {
    return [...this.#byPlace.values()].flat().sort((one, other) => one.grantedAt - other.grantedAt);
  }

  async load(): Promise<void> {
    const { store, persist } = this.#deps;
    this.#byPlace.clear();
    for (const grant of await persist(() => store.all())) this.#note(grant);
  }

  /** Every key has to be covered, by one grant or by several. */
  covers({ holder, tool, category, topic, session }: Needed): boolean {
    const grants = this.#byPlace.get(placeOf(holder, tool));
    if (grants === undefined || topic.keys.length === 0) return false;
    const valid = grants.filter(
      (grant) =>
        (grant.session === undefined || grant.session === session) &&
        weight(category) <= weight(grant.category),
    );
    return topic.keys.every((key) => valid.some(({ keys }) => keys.includes(key) || keys.includes('*')));
  }

  async add(grant: Grant): Promise<void> {
    const { store, persist } = this.#deps;
    await persist(() => store.add(grant));
    this.#note(grant);
  }

  async revoke(id: string): Promise<boolean> {
    const { store, persist } = this.#deps;
    const isGone = await persist(() => store.remove(toGrantId(id)));
    for (const [place, grants] of this.#byPlace) {
      const rest = grants.filter((grant) => grant.id !== id);
      if (rest.length === 0) this.#byPlace.delete(place);
      else this.#byPlace.set(place, rest);
    }
    return isGone;
  }

  #note(grant: Grant): void {
    const place = placeOf(grant.holder, grant.tool);
    this.#byPlace.set(place, [...(this.#byPlace.get(place) ?? []), grant]);
  }
}
