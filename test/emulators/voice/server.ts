/**
 * Speech services on loopback: OpenAI's and Groq's transcriptions and speech, ElevenLabs, and the read-aloud socket of
 * Edge. Each refuses what the real one refuses; faults are taken from a list, one a request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, sendJson, startLoopbackServer } from '../kit/loopback-server.js';
import { parseMultipart } from '../kit/multipart.js';
import { createEdgeSocket } from './edge-socket.js';

/** What happens to a request in place of its answer. */
export type VoiceFault =
  | 'none'
  /** The connection ends in the middle of the answer. */
  | 'early-close'
  | 'zero-bytes'
  /** Nothing ever comes. */
  | 'hang'
  | { readonly status: number; readonly retryAfter?: string };

export interface VoiceRequest {
  readonly service: 'transcription' | 'speech' | 'elevenlabs' | 'edge';
  readonly path: string;
  /** Fields of the form or of the JSON; the text that is to be spoken is `input`. */
  readonly fields: Readonly<Record<string, string>>;
  readonly fileName?: string;
  readonly file?: Buffer;
}

export interface VoiceEmulator {
  readonly baseUrl: string;
  /** `ws:` address for `tts.edge.endpoint`. */
  readonly edgeUrl: string;
  readonly requests: VoiceRequest[];
  /** For the next requests, in order; an empty list: all is well. */
  readonly faults: VoiceFault[];
  /** For the next transcriptions; an empty list: `hello`. */
  readonly transcripts: string[];
  /** What is spoken, whatever the text. */
  sound: Buffer;
  close(): Promise<void>;
}

export const emulatedKey = 'test-key';

/** File endings that the transcription API takes, and how such files begin. */
const formats: Readonly<Record<string, (file: Buffer) => boolean>> = {
  wav: (file) => file.toString('latin1', 0, 4) === 'RIFF',
  ogg: (file) => file.toString('latin1', 0, 4) === 'OggS',
  mp3: (file) => file.toString('latin1', 0, 3) === 'ID3' || file[0] === 0xff,
  m4a: (file) => file.toString('latin1', 4, 8) === 'ftyp',
  mp4: (file) => file.toString('latin1', 4, 8) === 'ftyp',
  webm: (file) => file.readUInt32BE(0) === 0x1a45dfa3,
};
const MAX_FILE_BYTES = 25 * 1024 * 1024;

const refuse = (response: ServerResponse, status: number, message: string): void =>
  sendJson(response, status, { error: { message, type: 'invalid_request_error' } });

/** True if the fault has answered. */
const playFault = (fault: VoiceFault, response: ServerResponse, sound: Buffer): boolean => {
  if (fault === 'none') return false;
  if (fault === 'hang') return true;
  if (fault === 'zero-bytes') {
    response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': 0 }).end();
    return true;
  }
  if (fault === 'early-close') {
    response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': sound.length + 1_000 });
    response.write(sound.subarray(0, 100), () => response.destroy());
    return true;
  }
  const headers = fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter };
  response.writeHead(fault.status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ error: { message: `fault ${fault.status}` } }));
  return true;
};

const transcribe = async (request: IncomingMessage, response: ServerResponse, emulator: VoiceEmulator) => {
  const body = await readBody(request);
  const parts = parseMultipart(body, request.headers['content-type'] ?? '');
  const file = parts.find(({ name }) => name === 'file');
  const fields = Object.fromEntries(
    parts.filter(({ name }) => name !== 'file').map(({ name, bytes }) => [name, bytes.toString()]),
  );
  emulator.requests.push({
    service: 'transcription',
    path: request.url ?? '',
    fields,
    ...(file?.fileName !== undefined && { fileName: file.fileName }),
    ...(file !== undefined && { file: file.bytes }),
  });
  if (playFault(emulator.faults.shift() ?? 'none', response, emulator.sound)) return;
  if (request.headers.authorization !== `Bearer ${emulatedKey}`) return refuse(response, 401, 'bad key');
  if (file?.fileName === undefined || fields['model'] === undefined)
    return refuse(response, 400, 'file and model are required');
  if (file.bytes.length > MAX_FILE_BYTES) return refuse(response, 413, 'too large');
  const ending = file.fileName.split('.').at(-1) ?? '';
  const isRight = file.bytes.length > 100 && formats[ending]?.(file.bytes) === true;
  if (!isRight) return refuse(response, 400, 'Invalid file format.');
  sendJson(response, 200, { text: emulator.transcripts.shift() ?? 'hello' });
};

const speak = async (request: IncomingMessage, response: ServerResponse, emulator: VoiceEmulator) => {
  const fields = JSON.parse((await readBody(request)).toString());
  emulator.requests.push({ service: 'speech', path: request.url ?? '', fields });
  if (playFault(emulator.faults.shift() ?? 'none', response, emulator.sound)) return;
  if (request.headers.authorization !== `Bearer ${emulatedKey}`) return refuse(response, 401, 'bad key');
  const isRight = [fields.model, fields.voice, fields.input].every((value) => typeof value === 'string');
  if (!isRight || fields.input === '' || fields.input.length > 4_096)
    return refuse(response, 400, 'model, voice and an input of at most 4096 characters are required');
  response.writeHead(200, { 'content-type': 'audio/ogg' }).end(emulator.sound);
};

const speakEleven = async (request: IncomingMessage, response: ServerResponse, emulator: VoiceEmulator) => {
  const { text, model_id: model } = JSON.parse((await readBody(request)).toString());
  const path = request.url ?? '';
  emulator.requests.push({ service: 'elevenlabs', path, fields: { input: text, model } });
  if (playFault(emulator.faults.shift() ?? 'none', response, emulator.sound)) return;
  if (request.headers['xi-api-key'] !== emulatedKey)
    return sendJson(response, 401, { detail: { status: 'invalid_api_key' } });
  if (typeof text !== 'string' || text === '') return sendJson(response, 422, { detail: 'text is required' });
  response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(emulator.sound);
};

/** Two voices, as the list of an account names them. */
const elevenVoices = {
  voices: [
    { voice_id: '21m00Tcm4TlvDq8ikWAM', name: 'Rachel' },
    { voice_id: 'AZnzlk1XvdvUeBnXmlld', name: 'Domi' },
  ],
};

export const startVoiceEmulator = async (): Promise<VoiceEmulator> => {
  const server = await startLoopbackServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://loopback');
    if (pathname.endsWith('/audio/transcriptions')) return transcribe(request, response, emulator);
    if (pathname.endsWith('/audio/speech')) return speak(request, response, emulator);
    if (pathname.startsWith('/v1/text-to-speech/')) return speakEleven(request, response, emulator);
    if (pathname === '/v1/voices') return sendJson(response, 200, elevenVoices);
    refuse(response, 404, 'no such address');
  });
  const socket = createEdgeSocket({
    onRequest: (input, voice) => {
      emulator.requests.push({ service: 'edge', path: '/edge/v1', fields: { input, voice } });
      return emulator.faults.shift() ?? 'none';
    },
    sound: () => emulator.sound,
  });
  server.onUpgrade(socket.upgrade);
  const emulator: VoiceEmulator = {
    baseUrl: `${server.url}/v1`,
    edgeUrl: `${server.url.replace('http', 'ws')}/edge/v1`,
    requests: [],
    faults: [],
    transcripts: [],
    sound: Buffer.alloc(0),
    close: async () => {
      socket.close();
      await server.close();
    },
  };
  return emulator;
};
