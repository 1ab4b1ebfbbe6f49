import { emptyArray, invalid, missing, noMatch, type Refusal, tooLong, wrongType } from './api-errors.js';
import { isObject, type JsonObject } from './conversation.js';

const NAME_PATTERN = '^[a-zA-Z0-9_-]+$';
const NAME_REGEXP = new RegExp(NAME_PATTERN);
const NAME_LIMIT = 64;
const TOOL_LIMIT = 128;

/** The rule for a function's name, in definitions and in the history. */
export function checkFunctionName(name: unknown, param: string): Refusal | undefined {
  if (name === undefined) return missing(param);
  if (typeof name !== 'string') return wrongType(param, 'a string', name);
  if (name.length > NAME_LIMIT) return tooLong(param, NAME_LIMIT, name.length);
  return NAME_REGEXP.test(name) ? undefined : noMatch(param, NAME_PATTERN);
}

export function checkTools(tools: unknown): Refusal | undefined {
  if (tools === undefined || tools === null) return undefined;
  if (!Array.isArray(tools)) return wrongType('tools', 'an array of objects', tools);
  if (tools.length === 0) return emptyArray('tools');
  if (tools.length > TOOL_LIMIT) {
    const expectation = `Expected an array with maximum length ${TOOL_LIMIT}, but got an array with length ${tools.length} instead.`;
    return invalid(`Invalid 'tools': array too long. ${expectation}`, 'tools', 'array_above_max_length');
  }
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const refusal = checkTool(tool, `tools[${index}]`, names);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function checkTool(tool: unknown, param: string, names: Set<string>): Refusal | undefined {
  if (!isObject(tool)) return wrongType(param, 'an object', tool);
  if (tool['type'] === undefined) return missing(`${param}.type`);
  if (tool['type'] !== 'function') {
    const message = `Invalid value: '${String(tool['type'])}'. Supported values are: 'function' and 'custom'.`;
    return invalid(message, `${param}.type`, 'invalid_value');
  }
  const definition = tool['function'];
  if (definition === undefined) return missing(`${param}.function`);
  if (!isObject(definition)) return wrongType(`${param}.function`, 'an object', definition);
  const { name, description } = definition;
  const nameRefusal = checkFunctionName(name, `${param}.function.name`);
  if (nameRefusal !== undefined) return nameRefusal;
  // checkFunctionName has seen that it is a string.
  const toolName = name as string;
  if (names.has(toolName)) {
    return invalid(
      `Duplicate function name '${toolName}': tool names must be unique.`,
      `${param}.function.name`,
    );
  }
  names.add(toolName);
  if (description !== undefined && typeof description !== 'string') {
    return wrongType(`${param}.function.description`, 'a string', description);
  }
  return checkParameters(definition, toolName, `${param}.function.parameters`);
}

function checkParameters(definition: JsonObject, name: string, param: string): Refusal | undefined {
  const { parameters } = definition;
  if (parameters === undefined) return undefined;
  const refuse = (why: string): Refusal =>
    invalid(`Invalid schema for function '${name}': ${why}`, param, 'invalid_function_parameters');
  if (!isObject(parameters))
    return refuse(`${JSON.stringify(parameters)} is not of type 'object', 'boolean'.`);
  if (parameters['type'] !== 'object') {
    const got = typeof parameters['type'] === 'string' ? parameters['type'] : 'None';
    return refuse(`schema must be a JSON Schema of 'type: "object"', got 'type: "${got}"'.`);
  }
  const problem = schemaProblem(parameters, [], definition['strict'] === true);
  return problem === undefined ? undefined : refuse(problem);
}

/** The first thing in a schema that the API refuses; `path` is where we are, as its messages write it. */
function schemaProblem(schema: JsonObject, path: readonly string[], strict: boolean): string | undefined {
  const context = `In context=(${path.map((step) => `'${step}'`).join(', ')})`;
  if (schema['type'] === 'array' && schema['items'] === undefined)
    return `${context}, array schema missing items.`;
  if (isObject(schema['items'])) return schemaProblem(schema['items'], [...path, 'items'], strict);
  if (schema['type'] !== 'object') return undefined;
  const { properties } = schema;
  if (!isObject(properties)) {
    // Only the outermost object must list its properties; an inner one may be free-form.
    return path.length === 0 || strict ? `${context}, object schema missing properties.` : undefined;
  }
  if (strict) {
    const problem = strictProblem(schema, properties);
    if (problem !== undefined) return `${context}, ${problem}`;
  }
  for (const [key, property] of Object.entries(properties)) {
    const problem = isObject(property)
      ? schemaProblem(property, [...path, 'properties', key], strict)
      : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function strictProblem(schema: JsonObject, properties: JsonObject): string | undefined {
  if (schema['additionalProperties'] !== false) {
    return "'additionalProperties' is required to be supplied and to be false.";
  }
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const absent = Object.keys(properties).find((key) => !required.includes(key));
  if (absent === undefined) return undefined;
  return `'required' is required to be supplied and to be an array including every key in properties. Missing '${absent}'.`;
}
