/**
 * One call of the Bot API, from its request to its answer: decode, log, let a fault in the way if one is due, run,
 * answer. Invariants:
 * 1. Every call that reaches a known token is logged before anything else can happen to it.
 * 2. `applied` is true exactly when the method ran to its end, whoever was told.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FiredFault } from '../kit/faults.js';
import { readBody } from '../kit/loopback-server.js';
import { ApiError } from './api-error.js';
import type { OpenCall } from './call-log.js';
import { findMethod } from './methods/index.js';
import { type DecodedRequest, decodeRequest } from './parameters.js';
import type { ApiResponse, FaultAction } from './protocol.js';
import type { World } from './world.js';

interface Exchange {
  readonly world: World;
  readonly call: OpenCall;
  readonly request: DecodedRequest;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
}

interface Answer {
  readonly status: number;
  readonly body: ApiResponse;
}

const EMPTY: DecodedRequest = { params: {}, files: new Map() };

export async function handleBotCall(
  world: World,
  methodName: string,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  let decoded = EMPTY;
  let refusal: ApiError | undefined;
  try {
    decoded = decodeRequest(query, request.headers['content-type'] ?? '', await readBody(request));
  } catch (error) {
    if (error instanceof RangeError) refusal = new ApiError(413, 'Request Entity Too Large');
    else if (error instanceof ApiError) refusal = error;
    // Anything else is a client that left in the middle of its own request.
    else return;
  }
  const call = world.log.begin(findMethod(methodName)?.name ?? methodName, decoded.params);
  world.watchers.touch('calls');
  const exchange: Exchange = { world, call, request: decoded, response, signal: left.signal };
  if (refusal !== undefined) respond(exchange, errorAnswer(refusal));
  else await answerCall(exchange, world.faults.fire({ method: call.method, params: decoded.params }));
  world.watchers.touch('calls');
}

async function answerCall(exchange: Exchange, fault: FiredFault<FaultAction> | undefined): Promise<void> {
  if (fault === undefined) {
    respond(exchange, await execute(exchange));
    return;
  }
  const { call, world, signal } = exchange;
  call.faultId = fault.id;
  const { action } = fault;
  switch (action.kind) {
    case 'error': {
      const parameters = action.parameters === undefined ? {} : { parameters: action.parameters };
      const body = { ok: false, error_code: action.code, description: action.description, ...parameters };
      respond(exchange, { status: action.code, body });
      return;
    }
    case 'html':
      respondHtml(
        exchange,
        action.status,
        action.body ?? '<html><body><h1>502 Bad Gateway</h1></body></html>',
      );
      return;
    case 'drop':
      if (action.applied) await execute(exchange);
      cut(exchange);
      return;
    case 'truncate':
      truncate(exchange, await execute(exchange));
      return;
    case 'hang':
      if (action.applied) await execute(exchange);
      await world.faults.hold(fault.id, signal);
      cut(exchange);
      return;
    case 'delay': {
      const early = action.applied ? await execute(exchange) : undefined;
      await world.faults.hold(fault.id, signal);
      if (early !== undefined) respond(exchange, early);
      else if (signal.aborted) world.log.finish(call, 'gone');
      else respond(exchange, await execute(exchange));
      return;
    }
    default:
      throw new Error(`unknown fault: ${JSON.stringify(action satisfies never)}`);
  }
}

async function execute({ world, call, request, signal }: Exchange): Promise<Answer> {
  const method = findMethod(call.method);
  if (method === undefined) return errorAnswer(new ApiError(404, 'Not Found'));
  const warn = (warning: string): number => call.warnings.push(warning);
  try {
    const result = await method.run({ world, params: request.params, files: request.files, warn, signal });
    call.applied = true;
    return { status: 200, body: { ok: true, result } };
  } catch (error) {
    if (error instanceof ApiError) return errorAnswer(error);
    throw error;
  }
}

export function errorAnswer(error: ApiError): Answer {
  const parameters = error.parameters === undefined ? {} : { parameters: error.parameters };
  return {
    status: error.code,
    body: { ok: false, error_code: error.code, description: error.message, ...parameters },
  };
}

function respond(exchange: Exchange, answer: Answer): void {
  const { world, call, response, signal } = exchange;
  if (signal.aborted) {
    world.log.finish(call, 'gone', undefined, answer.body);
    return;
  }
  const bytes = Buffer.from(JSON.stringify(answer.body));
  response.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
  world.log.finish(call, 'answered', answer.status, answer.body);
}

function respondHtml({ world, call, response }: Exchange, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'text/html', 'content-length': Buffer.byteLength(body) });
  response.end(body);
  world.log.finish(call, 'answered', status);
}

function cut({ world, call, response, signal }: Exchange): void {
  world.log.finish(call, signal.aborted ? 'gone' : 'dropped');
  response.destroy();
}

function truncate({ world, call, response }: Exchange, answer: Answer): void {
  const bytes = Buffer.from(JSON.stringify(answer.body));
  response.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
  world.log.finish(call, 'dropped', answer.status, answer.body);
}
