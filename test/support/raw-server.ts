import { createServer, type Socket } from 'node:net';

export interface RawServer {
  /** Without a slash at the end. */
  url: string;
  port: number;
  /** Request targets, in order. */
  asked: string[];
  /** Number of connections so far. */
  connections(): number;
  close(): Promise<void>;
}

/** Starts a server on loopback. `answer` writes the bytes of each response. */
export async function serveRaw(answer: (socket: Socket, target: string) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const asked: string[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    socket.on('data', (data) => {
      const target = /^[A-Z]+ (\S+) HTTP/.exec(data.toString('latin1'))?.[1];
      // The body of a POST may come separately.
      if (target === undefined) return;
      asked.push(target);
      answer(socket, target);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Runs such a server for a suite. Its fields are set when the suite's hooks have run. */
export function useRawServer(answer: (socket: Socket, target: string) => void): RawServer {
  const server = {} as RawServer;
  before(async () => void Object.assign(server, await serveRaw(answer)));
  after(() => server.close());
  return server;
}
