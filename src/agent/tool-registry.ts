import * as z from 'zod';
import { categories } from '../core/permission.js';
import type { ToolSpec } from '../core/provider.js';
import type { Tool } from '../core/tool.js';

/** The tools of a gateway, or those of them that a session has; immutable. */
export interface ToolRegistry {
  /** In the order of their names, so that the bytes of a request do not depend on who registered first. */
  readonly specs: readonly ToolSpec[];
  find(name: string): Tool | undefined;
  /** Why there is none of this name: it is switched off here, it was one of this session's, or nobody knows it. */
  absence(name: string): 'off' | 'gone' | 'unknown';
  /** Those of the names that there are. The same names give the same registry, absent gives all. */
  only(names: readonly string[] | undefined): ToolRegistry;
}

const validName = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/u;
/** The longest name that the model services accept. */
const maxNameLength = 64;
/** Different lists of names in use at once, before their registries are made anew. */
const maxViews = 200;

/** Throws for a tool that no model could call: a programming error, not a matter of settings. */
export const createToolRegistry = (tools: readonly Tool[]): ToolRegistry => {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    assertUsable(tool);
    if (byName.has(tool.name)) throw new Error(`two tools are named ${tool.name}`);
    byName.set(tool.name, tool);
  }
  const sorted = [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  const specs = Object.freeze(sorted.map(toSpec));
  const views = new Map<string, ToolRegistry>();
  const only = (names: readonly string[] | undefined): ToolRegistry => {
    if (names === undefined) return all;
    const key = names.join(' ');
    const known = views.get(key);
    if (known !== undefined) return known;
    if (views.size >= maxViews) views.clear();
    const chosen = new Set(names);
    const view: ToolRegistry = {
      specs: Object.freeze(specs.filter(({ name }) => chosen.has(name))),
      find: (name) => (chosen.has(name) ? byName.get(name) : undefined),
      absence: (name) => {
        if (byName.has(name)) return 'off';
        return chosen.has(name) ? 'gone' : 'unknown';
      },
      only,
    };
    views.set(key, view);
    return view;
  };
  const all: ToolRegistry = { specs, find: (name) => byName.get(name), absence: () => 'unknown', only };
  return Object.freeze(all);
};

const assertUsable = ({ name, description, category }: Tool): void => {
  if (!validName.test(name) || name.length > maxNameLength)
    throw new Error(`'${name}' is no tool name: snake case of at most ${maxNameLength} characters is`);
  if (description.trim() === '') throw new Error(`the tool ${name} has no description`);
  if (!categories.includes(category)) throw new Error(`the tool ${name} has no known category`);
};

const toSpec = ({ name, description, input }: Tool): ToolSpec => {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, { io: 'input' });
  if (schema.type !== 'object') throw new Error(`the input of the tool ${name} is not an object`);
  // The library types its output by the dialect's grammar; it is plain JSON.
  return { name, description, parameters: schema as ToolSpec['parameters'] };
};
