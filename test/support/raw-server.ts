import { createServer, type Socket } from 'node:net';

export interface RawServer {
  /** Without a slash at the end. */
  url: string;
  /** Request targets, in order. */
  asked: string[];
  /** How many connections were made. */
  connections(): number;
  close(): Promise<void>;
}

/** Answers every request on loopback with the bytes that `answer` writes. */
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
      const target = /^(?:GET|POST) (\S+) HTTP/.exec(data.toString('latin1'))?.[1];
      // The body of a POST may come on its own.
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
    asked,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
