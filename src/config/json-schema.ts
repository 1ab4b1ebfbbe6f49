import * as z from 'zod';
import type { PlatformDefinition } from '../core/platform-definition.js';
import { createSettingsSchema } from './schema.js';

/** Closes sections, so that editors mark unknown keys, except where any key may stand. */
const close = ({
  jsonSchema,
  zodSchema,
}: {
  jsonSchema: z.core.JSONSchema.BaseSchema;
  zodSchema: z.core.$ZodType;
}): void => {
  // As in schema-walk: the base type only hides the definition.
  const definition = (zodSchema as z.core.$ZodTypes)._zod.def;
  if (definition.type === 'object' && definition.catchall === undefined)
    jsonSchema.additionalProperties = false;
};

/** Lists of words on one line, as the project's formatter has them. */
const format = (schema: unknown): string =>
  JSON.stringify(schema, null, 2).replace(
    /\[\n\s+([^[\]{}]*?)\n\s+\]/gu,
    (_, items: string) => `[${items.replace(/,\n\s+/gu, ', ')}]`,
  );

/** The JSON Schema of config.yaml, as text that ends with a line break. */
export const settingsJsonSchema = (definitions: readonly PlatformDefinition[]): string => {
  const schema = z.toJSONSchema(createSettingsSchema(definitions), {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
    override: close,
  });
  return `${format({ ...schema, title: 'Hermes Gateway settings (config.yaml)' })}\n`;
};
