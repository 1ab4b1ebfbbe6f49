export interface DelayLimits {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** How long to wait after so many failures in a row: doubles from `firstMs` up to `maxMs`. */
export const growingDelay = (failures: number, { firstMs, maxMs }: DelayLimits): number =>
  Math.min(firstMs * 2 ** Math.max(0, failures - 1), maxMs);
