import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, type JsonObject } from './conversation.js';
import type { LogEntry } from './request-log.js';
import type { RecordedRequest, Rule, ScriptedResponse, WorldOptions } from './script.js';
import { World } from './world.js';
import type { Worlds } from './worlds.js';

const RESPONSE_TYPES = new Set(['reply', 'echo', 'chunks', 'bytes', 'http']);

/** A control call that makes no sense; its message goes back to the test. */
class ControlError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface ControlCall {
  readonly method: string;
  readonly key: string;
  /** Path steps behind the key, decoded. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
  readonly body: JsonObject;
}

/** Serves everything under `/control`; README.md lists the calls. */
export function createControlHandler(
  worlds: Worlds,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on(
      'end',
      () => void answerCall(request, Buffer.concat(pieces).toString('utf8'), worlds, response),
    );
  };
}

async function answerCall(
  request: IncomingMessage,
  text: string,
  worlds: Worlds,
  response: ServerResponse,
): Promise<void> {
  let status = 200;
  let body: unknown;
  try {
    body = await handleCall(toCall(request, text), worlds, response);
  } catch (error) {
    status = error instanceof ControlError ? error.status : 400;
    body = { error: error instanceof Error ? error.message : String(error) };
  }
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function toCall(request: IncomingMessage, text: string): ControlCall {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const [key = '', ...rest] = url.pathname.split('/').slice(2).map(decodeURIComponent);
  const body: unknown = text === '' ? {} : JSON.parse(text);
  if (!isObject(body)) throw new ControlError(400, 'the body must be a JSON object');
  return { method: request.method ?? 'GET', key, rest, query: url.searchParams, body };
}

/** Does what the call says; what it returns (or resolves to) is the answer's body. */
function handleCall(call: ControlCall, worlds: Worlds, response: ServerResponse): unknown {
  const { method, key, rest } = call;
  if (key === '') return { worlds: worlds.size, unauthorizedCount: worlds.unauthorizedCount };
  const action = `${method} ${rest[0] ?? ''}`;
  if (action === 'PUT ') {
    putWorld(call, worlds);
    return {};
  }
  const world = worlds.get(key);
  if (world === undefined) throw new ControlError(404, 'no world has this key; PUT it first');
  switch (action) {
    case 'GET ':
      return world.status();
    case 'GET requests':
      return { requests: [...world.log.entries()].filter(toEntryFilter(call.query)) };
    case 'GET wait':
      return waitFor(call.query, world, response);
    case 'DELETE ':
      worlds.remove(key);
      world.abandonAll();
      break;
    case 'POST responses':
      world.enqueue(parseResponses(call.body['responses']));
      break;
    case 'POST rules':
      world.addRule(parseRule(call.body));
      break;
    case 'POST fallback':
      world.setFallback(parseResponse(call.body['response']));
      break;
    case 'POST gates':
      turnGate(call, world);
      break;
    default:
      throw new ControlError(404, `no such control call: ${action}`);
  }
  return {};
}

function putWorld(call: ControlCall, worlds: Worlds): void {
  if (call.body['fallback'] !== undefined) parseResponse(call.body['fallback']);
  // Options come from our own typed client; a wrong one shows in the test that sent it.
  const world = new World(call.body as WorldOptions);
  // Only a known world has something to break off; asking must not make one.
  worlds.get(call.key)?.abandonAll();
  worlds.put(call.key, world);
}

function parseResponse(value: unknown): ScriptedResponse {
  if (!isObject(value) || !RESPONSE_TYPES.has(String(value['type']))) {
    throw new ControlError(400, `a response needs one of the types ${[...RESPONSE_TYPES].join(', ')}`);
  }
  // The members are those of our own builders; only a forgotten builder call is worth catching.
  return value as unknown as ScriptedResponse;
}

function parseResponses(value: unknown): ScriptedResponse[] {
  if (!Array.isArray(value)) throw new ControlError(400, 'a list of responses is needed');
  return value.map(parseResponse);
}

function parseRule(body: JsonObject): Rule {
  const { when, respond, repeat } = body;
  if (!isObject(when)) throw new ControlError(400, 'a rule needs a condition in `when`');
  return { when, respond: parseResponses(respond), repeat: repeat === true };
}

function turnGate({ rest, body }: ControlCall, world: World): void {
  const name = rest[1];
  if (name === undefined) throw new ControlError(400, 'a gate needs a name');
  if (typeof body['open'] === 'boolean') world.gates.setOpen(name, body['open']);
  else world.gates.release(name, typeof body['release'] === 'number' ? body['release'] : 1);
}

function toEntryFilter(query: URLSearchParams): (entry: LogEntry) => boolean {
  const after = Number(query.get('after') ?? 0);
  const userText = query.get('userText');
  const outcome = query.get('outcome');
  const refused = query.get('refused');
  return (entry) =>
    entry.number > after &&
    (userText === null || entry.lastUserText.includes(userText)) &&
    (outcome === null || entry.answer.outcome === outcome) &&
    (refused === null || (entry.answer.error !== undefined) === (refused === 'true'));
}

/** Resolves as soon as everything that the query names is true; never, if it never is. */
function waitFor(query: URLSearchParams, world: World, response: ServerResponse): Promise<unknown> {
  const stateHolds = toStateCondition(query, world);
  const wantsEntry = ['userText', 'outcome', 'refused'].some((name) => query.has(name));
  const isWanted = toEntryFilter(query);
  let found: RecordedRequest | undefined = wantsEntry ? findEntry(world, isWanted) : undefined;
  const isDone = (): boolean => stateHolds() && (!wantsEntry || found !== undefined);
  const toResult = (): unknown => ({ requestCount: world.requestCount, request: found ?? null });
  if (isDone()) return Promise.resolve(toResult());
  return new Promise((resolve) => {
    const stop = world.addWaiter((entry) => {
      if (wantsEntry && found === undefined && entry !== undefined && isWanted(entry)) found = entry;
      if (!isDone()) return;
      stop();
      resolve(toResult());
    });
    response.on('close', stop);
  });
}

function findEntry(world: World, isWanted: (entry: LogEntry) => boolean): LogEntry | undefined {
  for (const entry of world.log.entries()) {
    if (isWanted(entry)) return entry;
  }
  return undefined;
}

function toStateCondition(query: URLSearchParams, world: World): () => boolean {
  const requests = Number(query.get('requests') ?? 0);
  const gate = query.get('gate');
  const waiting = Number(query.get('waiting') ?? 1);
  const idle = query.get('idle') === 'true';
  return () =>
    world.requestCount >= requests &&
    (gate === null || world.gates.waitingAt(gate) >= waiting) &&
    (!idle || world.openCount === 0);
}
