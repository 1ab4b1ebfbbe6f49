/** Ids as Discord makes them: the time in the upper bits, so that a restarted emulator goes on above its old ones. */
const DISCORD_EPOCH_MS = 1_420_070_400_000n;

export class Snowflakes {
  #last = 0n;

  next(atMs = Date.now()): string {
    const fresh = (BigInt(Math.trunc(atMs)) - DISCORD_EPOCH_MS) << 22n;
    this.#last = fresh > this.#last ? fresh : this.#last + 1n;
    return String(this.#last);
  }
}

export const isLater = (id: string, than: string): boolean => BigInt(id) > BigInt(than);
