/** Nearest-rank percentile: the smallest value with at least `percent` of all values at or below it. `values` not empty. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length));
  const value = sorted[rank - 1];
  if (value === undefined) throw new RangeError(`no ${percent}th percentile of ${values.length} values`);
  return value;
}

/** The middle value; of an even number of values the mean of the two in the middle. `values` not empty. */
export function median(values: readonly number[]): number {
  return (
    (percentile(values, 50) +
      -percentile(
        values.map((value) => -value),
        50,
      )) /
    2
  );
}
