/** A line between a browser and the world that can be cut: an HTTP proxy on loopback. */
import { createServer, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Line {
  /** As Chromium takes it. */
  readonly proxy: { readonly server: string; readonly bypass: string };
  /** Ends every connection and takes no other. */
  cut(): void;
  mend(): void;
}

export const createLine = async (): Promise<Line> => {
  let isCut = false;
  const sockets = new Set<Socket>();
  const server = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    const onward = request(incoming.url ?? '', { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.on('error', () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  server.on('connection', (socket) => {
    if (isCut) return void socket.destroy();
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    cut();
    server.close();
  });
  // It listens on TCP.
  const { port } = server.address() as AddressInfo;
  return {
    proxy: { server: `http://127.0.0.1:${port}`, bypass: '<-loopback>' },
    cut,
    mend: () => {
      isCut = false;
    },
  };
};
