import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface SocketServer {
  port: number;
  /** Number of connections so far. */
  connections(): number;
  close(): Promise<void>;
}

export interface RawServer extends SocketServer {
  /** Without a slash at the end. */
  url: string;
  /** Request targets, in order. */
  asked: string[];
}

/** Starts a TCP server, on loopback by default. */
export async function serveSockets(
  accept: (socket: Socket) => void,
  at = '127.0.0.1',
): Promise<SocketServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    accept(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, at, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Starts a server on loopback. `answer` writes the bytes of each response. */
export async function serveRaw(answer: (socket: Socket, target: string) => void): Promise<RawServer> {
  const asked: string[] = [];
  const server = await serveSockets((socket) => {
    socket.on('data', (data) => {
      const target = /^[A-Z]+ (\S+) HTTP/.exec(data.toString('latin1'))?.[1];
      // The body of a POST may come separately.
      if (target === undefined) return;
      asked.push(target);
      answer(socket, target);
    });
  });
  return { ...server, url: `http://127.0.0.1:${server.port}`, asked };
}

/** Runs such a server for a suite. Its fields are set when the suite's hooks have run. */
export function useRawServer(answer: (socket: Socket, target: string) => void): RawServer {
  const server = {} as RawServer;
  before(async () => void Object.assign(server, await serveRaw(answer)));
  after(() => server.close());
  return server;
}
