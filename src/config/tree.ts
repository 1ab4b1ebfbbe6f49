/** Settings as read, before any schema: plain maps, lists and scalars. */
export type Tree = { [key: string]: unknown };

export type Path = readonly (string | number)[];

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const formatPath = (path: readonly PropertyKey[]): string => path.map(String).join('.');

export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? // Only an index signature is missing: the key was seen to be there.
          (inner as Record<PropertyKey, unknown>)[key]
        : undefined,
    value,
  );

/** Sets a value, making the maps that lead to it. Something else in the way is left for the schema to complain of. */
export const setAt = (tree: Tree, path: readonly string[], value: unknown): void => {
  const [key, ...rest] = path;
  if (key === undefined) return;
  if (rest.length === 0) {
    tree[key] = value;
    return;
  }
  tree[key] ??= {};
  const inner = tree[key];
  if (isTree(inner)) setAt(inner, rest, value);
};

/** Calls `visit` for every scalar, with its path. */
export const walkScalars = (
  value: unknown,
  visit: (scalar: unknown, path: Path) => void,
  path: Path = [],
): void => {
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) walkScalars(item, visit, [...path, index]);
  else if (isTree(value))
    for (const [key, item] of Object.entries(value)) walkScalars(item, visit, [...path, key]);
  else visit(value, path);
};
