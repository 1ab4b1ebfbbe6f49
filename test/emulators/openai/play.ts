import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Answer } from './answer.js';
import type { LogEntry } from './request-log.js';
import type { CutKind } from './script.js';
import type { World } from './world.js';

/**
 * Pieces that follow each other faster than the other process reads them arrive as one; this is the shortest pause
 * that keeps nearly all of them apart.
 */
const BREATH_MS = 1;

/** What is known of the connection while an answer goes out. */
export interface Exchange {
  /** The other side, or a reset of the world, ended it. */
  closed: boolean;
  /** Gives up the place at a gate. */
  leave: (() => void) | undefined;
}

/** Carries out the steps of an answer, without a pause unless it is paced or there is a gate or a cut. */
export async function playAnswer(
  answer: Answer,
  response: ServerResponse,
  world: World,
  entry: LogEntry,
  exchange: Exchange,
): Promise<void> {
  for (const step of answer.steps) {
    if (exchange.closed) return;
    switch (step.type) {
      case 'head':
        response.writeHead(answer.status, {
          ...answer.headers,
          'x-request-id': `req_emulated${entry.number}`,
        });
        if (answer.paced) {
          response.flushHeaders();
          await setTimeout(BREATH_MS);
        }
        break;
      case 'write':
        response.write(step.bytes);
        entry.answer.sentCount += 1;
        if (answer.paced) await setTimeout(BREATH_MS);
        break;
      case 'gate':
        if (!(await passGate(step.name, response, world, entry, exchange))) return;
        break;
      case 'cut':
        await cutConnection(step.how, response);
        world.finish(entry, 'cut');
        return;
    }
  }
  if (!exchange.closed) response.end();
}

async function passGate(
  name: string,
  response: ServerResponse,
  world: World,
  entry: LogEntry,
  exchange: Exchange,
): Promise<boolean> {
  if (response.headersSent) response.flushHeaders();
  const passing = world.gates.pass(name, (leave) => {
    exchange.leave = leave;
  });
  if (passing === true) return true;
  entry.answer.waitingAt = name;
  world.changed(entry);
  const passed = await passing;
  exchange.leave = undefined;
  delete entry.answer.waitingAt;
  return passed;
}

async function cutConnection(how: CutKind, response: ServerResponse): Promise<void> {
  const { socket } = response;
  if (socket === null) return;
  if (response.headersSent) response.flushHeaders();
  // What was written before has to be with the kernel first: a reset throws away what is still queued here.
  await setImmediate();
  await new Promise<void>((resolve) => socket.write('', () => resolve()));
  if (how === 'rst') socket.resetAndDestroy();
  else socket.destroySoon();
}
