/** What a schema complains of, in words for the person who wrote the settings. */
import type * as z from 'zod';
import type { SettingsProblem } from '../core/errors.js';
import { nearest } from './nearest.js';
import { defaultOf, kindOf, schemaAt } from './schema-walk.js';
import { isSecretName } from './secret-names.js';
import { formatPath, valueAt } from './tree.js';

type Issue = z.core.$ZodIssue;

interface ProblemContext {
  readonly schema: z.ZodType;
  readonly tree: unknown;
  /** By dotted path: where a value came from, if not from config.yaml. */
  readonly origins: ReadonlyMap<string, string>;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a section with keys of its own',
  record: 'a section with keys of its own',
};

const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

/** A value as it may be printed. */
const describeValue = (value: unknown, path: readonly PropertyKey[]): string => {
  if (value === undefined) return 'nothing';
  const isSecret = path.some((key) => typeof key === 'string' && isSecretName(key));
  if (isSecret && typeof value === 'string') return `a text of ${value.length} characters, not shown here`;
  if (isSecret) return 'a value that is not shown here';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a section with keys of its own';
  return cut(JSON.stringify(typeof value === 'string' ? withoutPassword(value) : value));
};

const withoutPassword = (text: string): string => text.replace(/(\/\/)[^/\s]*@/u, '$1***@');

/** The complaint of the branch that got furthest: that is the one the writer meant. */
const deepest = (issue: Issue): Issue => {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors.flat().map((one) => deepest({ ...one, path: [...issue.path, ...one.path] }));
  return inner.toSorted((one, other) => other.path.length - one.path.length)[0] ?? issue;
};

const expectedOfUnion = (issue: Extract<Issue, { code: 'invalid_union' }>): string => {
  const options = issue.errors.flatMap((branch) => branch.slice(0, 1).map(expectedOf));
  return [...new Set(options)].join(' or ');
};

const bound = (amount: number | bigint, origin: string, edge: 'least' | 'most'): string => {
  if (origin === 'string') return `text of at ${edge} ${amount} ${amount === 1 ? 'character' : 'characters'}`;
  if (origin === 'array') return `a list of at ${edge} ${amount} items`;
  return `a number of at ${edge} ${amount}`;
};

const expectedOf = (issue: Issue): string => {
  // Sections say it themselves, and more exactly.
  if (issue.message.startsWith('expected ')) return issue.message.slice('expected '.length);
  switch (issue.code) {
    case 'invalid_type':
      return kinds[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.join(', ')}`;
    case 'too_small':
      return bound(issue.minimum, issue.origin, 'least');
    case 'too_big':
      return bound(issue.maximum, issue.origin, 'most');
    case 'invalid_union':
      return expectedOfUnion(issue);
    default:
      return issue.message;
  }
};

const exampleAt = (schema: z.ZodType, path: readonly PropertyKey[]): unknown => {
  const target = schemaAt(schema, path);
  if (target === undefined) return undefined;
  // The section's schemas are all classic ones; only their base type is known here.
  const examples = (target as z.ZodType).meta?.()?.['examples'];
  const standing: unknown = (Array.isArray(examples) ? examples[0] : undefined) ?? defaultOf(target);
  if (standing !== undefined && typeof standing !== 'object') return standing;
  return kindOf(target) === 'boolean' ? true : undefined;
};

const write = (path: readonly PropertyKey[], value: unknown): string => {
  const key = path.findLast((part) => typeof part === 'string');
  const text =
    typeof value === 'string' && !/^[\w./-]+$/u.test(value) ? JSON.stringify(value) : String(value);
  return `Write \`${String(key)}: ${text}\`.`;
};

const adviceFor = (issue: Issue, value: unknown, schema: z.ZodType): string => {
  const { path } = issue;
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String);
    const meant = typeof value === 'string' ? nearest(value, values) : undefined;
    return write(path, meant ?? exampleAt(schema, path) ?? values[0]);
  }
  if (
    issue.code === 'invalid_type' &&
    issue.expected === 'array' &&
    value !== undefined &&
    typeof value !== 'object'
  )
    return write(path, [value]).replace(/: (.*)`\.$/u, (_, item: string) => `: [${item}]\`.`);
  const example = exampleAt(schema, path);
  if (example !== undefined) return write(path, example);
  return 'The example file (config.example.yaml) and `hermes config schema` show what may stand here.';
};

const asSentence = (text: string): string => {
  const trimmed = text.trim();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?]$/u.test(trimmed) ? '' : '.'}`;
};

const toProblem = (raw: Issue, { schema, tree, origins }: ProblemContext): SettingsProblem => {
  const issue = deepest(raw);
  const value = valueAt(tree, issue.path);
  const origin = issue.path
    .map((_, index) => origins.get(formatPath(issue.path.slice(0, index + 1))))
    .find(Boolean);
  // What stands behind the semicolon of a section's own words is its advice.
  const [expected = '', ...rest] = expectedOf(issue).split('; ');
  return {
    path: formatPath(issue.path),
    expected: expected.trim(),
    got: `${describeValue(value, issue.path)}${origin === undefined ? '' : ` (from ${origin})`}`,
    advice: rest.length > 0 ? asSentence(rest.join('; ')) : adviceFor(issue, value, schema),
  };
};

export const toProblems = (issues: readonly Issue[], context: ProblemContext): readonly SettingsProblem[] =>
  issues.map((issue) => toProblem(issue, context));
