import type { JsonValue } from '../core/json.js';
import { oneLine } from './short-text.js';
import { parseTolerantly } from './tolerant-json.js';

export type ArgumentsObject = { readonly [key: string]: JsonValue };

export type ParsedArguments =
  | { readonly ok: true; readonly value: ArgumentsObject }
  /** A sentence for the model. */
  | { readonly ok: false; readonly problem: string };

const fence = /^```\w*\s*\n([\s\S]*?)\n?\s*```$/u;

/**
 * Reads a call's arguments. Strict JSON first; then the mistakes that have only one reading. Nothing at all is an
 * empty object: that is how many services call a tool without parameters. Never throws.
 */
export const parseArguments = (argumentsText: string): ParsedArguments => {
  const text = fence.exec(argumentsText.trim())?.[1] ?? argumentsText.trim();
  if (text === '') return { ok: true, value: {} };
  const parsed = parseText(text);
  if ('problem' in parsed) {
    const excerpt = oneLine(text, 200);
    return { ok: false, problem: `The arguments are not valid JSON: ${parsed.problem}. Got: ${excerpt}` };
  }
  // Some services encode the object twice.
  const inner = typeof parsed.value === 'string' ? parseText(parsed.value) : parsed;
  const value = 'problem' in inner ? parsed.value : inner.value;
  if (isObject(value)) return { ok: true, value };
  return { ok: false, problem: `The arguments must be a JSON object, got ${describe(value)}.` };
};

/** Whether a text is one complete JSON object, without any tolerance. */
export const isCompleteObject = (text: string): boolean => {
  try {
    return isObject(JSON.parse(text) as JsonValue);
  } catch {
    return false;
  }
};

const parseText = (text: string): { readonly value: JsonValue } | { readonly problem: string } => {
  try {
    // JSON.parse returns any; what it gives is a JSON value.
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    return parseLeniently(text);
  }
};

const parseLeniently = (text: string): { readonly value: JsonValue } | { readonly problem: string } => {
  try {
    return { value: parseTolerantly(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'unreadable' };
  }
};

const isObject = (value: JsonValue): value is ArgumentsObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const describe = (value: JsonValue): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
};
