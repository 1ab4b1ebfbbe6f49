import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { GatewayStatus } from '../../src/core/services.js';

export interface Asked {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly body: unknown;
}

export interface FakeGateway {
  readonly asked: Asked[];
  close(): Promise<void>;
}

/** Listens on the control socket of a home and gives one answer to everything. */
export const answerOnSocket = async (
  home: string,
  answer: { readonly status: number; readonly body: unknown },
): Promise<FakeGateway> => {
  const asked: Asked[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const text = Buffer.concat(chunks).toString('utf8');
    asked.push({
      method: request.method,
      path: request.url,
      body: text === '' ? undefined : JSON.parse(text),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => {
    server.listen(join(home, 'gateway.sock'), resolve);
  });
  return {
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
};

export const aStatus = (changes: Partial<GatewayStatus> = {}): GatewayStatus => ({
  version: '1.2.3',
  pid: 4711,
  startedAt: 0,
  model: {
    provider: 'openai',
    name: 'gpt-4.1-mini',
    isDemo: false,
    address: 'https://api.openai.com/v1',
  },
  adapters: [],
  queues: {
    runningTurns: 0,
    waitingMessages: 0,
    pendingDeliveries: 0,
    failedDeliveries: 0,
    unknownDeliveries: 0,
  },
  problems: [],
  ...changes,
});
