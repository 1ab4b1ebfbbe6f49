/** Looks into schemas: which keys a section knows, and what kind of value belongs under a key. */
import type * as z from 'zod';
import { nearest } from './nearest.js';
import { isTree, type Path } from './tree.js';

type Schema = z.core.$ZodType;

const definitionOf = (schema: Schema) =>
  // Every schema is one of these; the base type only hides its definition.
  (schema as z.core.$ZodTypes)._zod.def;

/** The schema below defaults, options and transformations: what may be written. */
const unwrap = (schema: Schema): Schema => {
  const definition = definitionOf(schema);
  switch (definition.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return unwrap(definition.innerType);
    case 'pipe':
      return unwrap(definition.in);
    default:
      return schema;
  }
};

/** Keys of a section and their schemas; undefined if it is no section, or takes any key. */
const shapeOf = (schema: Schema): Readonly<Record<string, Schema>> | undefined => {
  const definition = definitionOf(unwrap(schema));
  return definition.type === 'object' && definition.catchall === undefined ? definition.shape : undefined;
};

const childOf = (schema: Schema, key: PropertyKey): Schema | undefined => {
  const definition = definitionOf(unwrap(schema));
  if (definition.type === 'object') return definition.shape[String(key)];
  if (definition.type === 'record') return definition.valueType;
  return definition.type === 'array' ? definition.element : undefined;
};

/** The schema, with its wrappers, of the value at a path. */
export const schemaAt = (schema: Schema, path: readonly PropertyKey[]): Schema | undefined =>
  path.reduce<Schema | undefined>((at, key) => (at === undefined ? undefined : childOf(at, key)), schema);

export const kindOf = (schema: Schema): string => definitionOf(unwrap(schema)).type;

/** What stands in the settings where nothing is written, if the schema says so. */
export const defaultOf = (schema: Schema): unknown => {
  const definition = definitionOf(schema);
  if (definition.type === 'default' || definition.type === 'prefault') return definition.defaultValue;
  return definition.type === 'optional' || definition.type === 'pipe'
    ? defaultOf(definition.type === 'pipe' ? definition.in : definition.innerType)
    : undefined;
};

/** Dotted names of every key that the schema knows, sections included. */
export const knownPaths = (schema: Schema, prefix = ''): readonly string[] =>
  Object.entries(shapeOf(schema) ?? {}).flatMap(([key, inner]) => [
    `${prefix}${key}`,
    ...knownPaths(inner, `${prefix}${key}.`),
  ]);

export interface UnknownKey {
  readonly path: Path;
  /** Dotted path of the known key that was probably meant. */
  readonly meant: string | undefined;
}

/** Keys that nothing reads. */
export const findUnknownKeys = (root: Schema, value: unknown): readonly UnknownKey[] => {
  const found: UnknownKey[] = [];
  const visit = (schema: Schema, inner: unknown, path: Path): void => {
    if (Array.isArray(inner)) {
      const element = childOf(schema, 0);
      if (element !== undefined)
        for (const [index, item] of inner.entries()) visit(element, item, [...path, index]);
      return;
    }
    if (!isTree(inner)) return;
    const shape = shapeOf(schema);
    for (const [key, child] of Object.entries(inner)) {
      const known = childOf(schema, key);
      if (known !== undefined) visit(known, child, [...path, key]);
      else if (shape !== undefined) found.push({ path: [...path, key], meant: meantBy(key, shape, path) });
    }
  };
  const meantBy = (key: string, shape: Readonly<Record<string, Schema>>, path: Path): string | undefined => {
    const near = nearest(key, Object.keys(shape));
    if (near !== undefined) return [...path, near].join('.');
    // Right word, wrong place.
    return knownPaths(root).find((known) => known.endsWith(`.${key}`) || known === key);
  };
  visit(root, value, []);
  return found;
};
