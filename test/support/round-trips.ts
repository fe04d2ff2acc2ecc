import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to Postgres on which every question and answer is counted. */
export interface CountedWay {
  /** The same database by way of here. */
  to(url: string): Promise<string>;
  /** How often somebody asked and waited: what is sent before the answer is here travels along. */
  trips(): number;
  /** Statements sent, several at once each for itself. */
  statements(): number;
  close(): Promise<void>;
}

/** Longer than one process takes to write what it sends at once. */
const wayMs = 2;

export function countedWay(): CountedWay {
  const counts = { trips: 0, statements: 0 };
  const server = createServer();
  const sockets = new Set<Socket>();
  return {
    to: async (url) => {
      const { hostname, port } = new URL(url);
      server.on('connection', (near) => {
        const far = connect(Number(port), hostname);
        join(near, far, counts);
        for (const socket of [near, far]) sockets.add(socket);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return Object.assign(new URL(url), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` })
        .href;
    },
    trips: () => counts.trips,
    statements: () => counts.statements,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Until it has answered with ReadyForQuery, the server owes an answer for each Query and each Sync. */
function join(near: Socket, far: Socket, counts: { trips: number; statements: number }): void {
  let owed = 0;
  const asked = kinds({ hasStartup: true });
  const answered = kinds({ hasStartup: false });
  near.on('data', (bytes) => {
    far.write(bytes);
    for (const kind of asked(bytes)) {
      if (kind !== 'Q' && kind !== 'S') continue;
      if (owed === 0) counts.trips += 1;
      counts.statements += 1;
      owed += 1;
    }
  });
  far.on('data', (bytes) => {
    setTimeout(() => {
      for (const kind of answered(bytes)) if (kind === 'Z') owed = Math.max(0, owed - 1);
      near.write(bytes);
    }, wayMs);
  });
  for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
    socket.on('error', () => {});
    socket.once('close', () => setTimeout(() => other.destroy(), wayMs));
  }
}

/** Reads the kinds of messages off one direction (postgresql.org/docs/18/protocol-message-formats.html). */
function kinds({ hasStartup }: { hasStartup: boolean }): (bytes: Buffer) => string[] {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = hasStartup;
  return (bytes) => {
    const found: string[] = [];
    rest = Buffer.concat([rest, bytes]);
    while (true) {
      // The first message of a client has no letter.
      const at = isFirst ? 0 : 1;
      const length = rest.length < at + 4 ? Number.POSITIVE_INFINITY : at + rest.readInt32BE(at);
      if (rest.length < length) return found;
      if (!isFirst) found.push(rest.toString('latin1', 0, 1));
      isFirst = false;
      rest = rest.subarray(length);
    }
  };
}
