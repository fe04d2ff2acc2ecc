import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to Postgres that is cut off in the middle of what somebody does, as when the process dies. */
export interface CutWay {
  /** The same database by way of here. */
  to(url: string): Promise<string>;
  /**
   * Cuts off who sends the nth time from now on: before that arrives, or when it was done and its answer is on the way.
   */
  cutAt(nth: number, when: 'unsent' | 'unanswered'): void;
  /** Whether it has come to that; from then on nothing is cut off. */
  wasCut(): boolean;
  close(): Promise<void>;
}

export function cutWay(): CutWay {
  let left = Number.POSITIVE_INFINITY;
  let isAnswerLost = false;
  const server = createServer();
  const sockets = new Set<Socket>();
  const join = (near: Socket, far: Socket) => {
    let isLost = false;
    const part = () => {
      for (const socket of [near, far]) socket.destroy();
    };
    near.on('data', (bytes) => {
      left -= 1;
      isLost ||= left === 0;
      if (isLost && !isAnswerLost) part();
      else far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (isLost) part();
      else near.write(bytes);
    });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', part);
    }
  };
  return {
    to: async (url) => {
      const { hostname, port } = new URL(url);
      server.on('connection', (near) => join(near, connect(Number(port), hostname)));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return Object.assign(new URL(url), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` })
        .href;
    },
    cutAt: (nth, when) => {
      left = nth;
      isAnswerLost = when === 'unanswered';
    },
    wasCut: () => left <= 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
