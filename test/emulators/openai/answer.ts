import type { Refusal } from './api-errors.js';
import { type IssuedIds, type Rendered, renderRawChunks, renderReply, toReply } from './reply.js';
import type { Fault, HttpAnswer, RawBytes, ScriptedResponse } from './script.js';
import type { AcceptedBody } from './validate.js';
import { type Step, toEvents, toHalves, toSteps } from './wire.js';

const JSON_TYPE = 'application/json';
const SSE_TYPE = 'text/event-stream; charset=utf-8';

/** A response made ready to send. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  /** Every write leaves alone, and is seen to have left, before the next. */
  readonly paced: boolean;
  readonly text: string | null;
}

export function toAnswer(response: ScriptedResponse, request: AcceptedBody, ids: IssuedIds): Answer {
  const streams = response.form === undefined ? request.stream : response.form === 'sse';
  switch (response.type) {
    case 'reply':
      return fromRendered(renderReply(response, request, ids, streams), response, streams);
    case 'echo':
      return fromRendered(
        renderReply(toReply(response, request.body), request, ids, streams),
        response,
        streams,
      );
    case 'chunks':
      return fromRendered(renderRawChunks(response, request, ids), response, streams);
    case 'bytes':
      return fromBytes(response, streams);
    case 'http':
      return fromHttp(response);
  }
}

export function toRefusalAnswer({ status, error }: Refusal): Answer {
  return fromHttp({ type: 'http', status, body: JSON.stringify({ error }) });
}

function fromRendered(rendered: Rendered, response: ScriptedResponse, streams: boolean): Answer {
  const { faults = [], wire = {} } = response;
  if (!streams) {
    const body = Buffer.from(JSON.stringify(rendered.completion));
    return { ...wholeBody(body, JSON_TYPE, response), status: 200, text: rendered.text };
  }
  return {
    status: 200,
    headers: { 'content-type': SSE_TYPE, 'cache-control': 'no-cache' },
    steps: toSteps(toEvents(rendered.chunks, wire), faults, wire),
    paced: isPaced(response),
    text: rendered.text,
  };
}

/** Sent chunked and without a length, like a stream. */
function fromBytes(response: RawBytes, streams: boolean): Answer {
  const { faults = [], wire = {} } = response;
  return {
    status: response.status ?? 200,
    headers: { 'content-type': streams ? SSE_TYPE : JSON_TYPE, ...response.headers },
    steps: toSteps(toHalves(Buffer.from(response.base64, 'base64'), faults), faults, wire),
    paced: isPaced(response),
    text: null,
  };
}

function fromHttp(response: HttpAnswer): Answer {
  const answer = wholeBody(Buffer.from(response.body), JSON_TYPE, response);
  return { ...answer, status: response.status, headers: { ...answer.headers, ...response.headers } };
}

/** The length is announced, so that a cut is seen as one; stopping early can then only mean a cut. */
function wholeBody(body: Buffer, contentType: string, response: ScriptedResponse): Answer {
  const { wire = {} } = response;
  const faults = (response.faults ?? []).map(
    (fault): Fault =>
      fault.type === 'gate' || fault.type === 'cut' ? fault : { type: 'cut', at: fault.at, how: 'fin' },
  );
  return {
    status: 200,
    headers: { 'content-type': contentType, 'content-length': String(body.length) },
    steps: toSteps(toHalves(body, faults), faults, wire),
    paced: isPaced(response),
    text: null,
  };
}

function isPaced({ wire }: ScriptedResponse): boolean {
  return wire?.cutEvery !== undefined || wire?.cutAt !== undefined;
}
