import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to Postgres on which statements are counted. */
export interface CountedWay {
  /** The same database by way of here. */
  to(url: string): Promise<string>;
  statements(): number;
  close(): Promise<void>;
}

export function countedWay(): CountedWay {
  let statements = 0;
  const server = createServer();
  const sockets = new Set<Socket>();
  server.on('error', () => {});
  return {
    to: async (url) => {
      const { hostname, port } = new URL(url);
      server.on('connection', (near) => {
        const far = connect(Number(port), hostname);
        const kindsOf = readKinds();
        near.on('data', (bytes) => {
          // Each statement ends with a Query or a Sync.
          statements += kindsOf(bytes).filter((kind) => kind === 'Q' || kind === 'S').length;
        });
        near.pipe(far).pipe(near);
        for (const socket of [near, far]) {
          sockets.add(socket);
          socket.on('error', () => {});
        }
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return Object.assign(new URL(url), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` })
        .href;
    },
    statements: () => statements,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Reads the kinds of messages that a client sends (postgresql.org/docs/18/protocol-message-formats.html). */
function readKinds(): (bytes: Buffer) => string[] {
  let rest: Buffer = Buffer.alloc(0);
  // The first message of a client has no letter.
  let isFirst = true;
  return (bytes) => {
    const found: string[] = [];
    rest = Buffer.concat([rest, bytes]);
    while (true) {
      const at = isFirst ? 0 : 1;
      const length = rest.length < at + 4 ? Number.POSITIVE_INFINITY : at + rest.readInt32BE(at);
      if (rest.length < length) return found;
      if (!isFirst) found.push(rest.toString('latin1', 0, 1));
      isFirst = false;
      rest = rest.subarray(length);
    }
  };
}
