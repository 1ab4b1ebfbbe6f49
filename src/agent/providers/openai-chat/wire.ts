/**
 * What we read of a chunk. Nothing is taken for granted: many services imitate this dialect, each a little differently,
 * so every member may be missing, null or of another type. A schema would be run for every token; these readers are not.
 */
export interface Fields {
  readonly [name: string]: unknown;
}

export const toFields = (value: unknown): Fields =>
  // An object's members are unknown until read by the functions below.
  typeof value === 'object' && value !== null ? (value as Fields) : {};

export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

export const toCount = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
