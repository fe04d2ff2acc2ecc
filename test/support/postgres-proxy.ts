import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on loopback in front of a Postgres. */
export class PostgresProxy {
  readonly #server = createServer();
  readonly #sockets = new Set<Socket>();
  #isStalled = false;
  #packetsLeft = Number.POSITIVE_INFINITY;
  #isAnswerLost = false;
  /** Statements that clients have sent. */
  statements = 0;

  /** Starts the proxy. Returns the URL of the database through it. */
  readonly open = async (url: string): Promise<string> => {
    const { hostname, port } = new URL(url);
    this.#server.on('connection', (client) => this.#link(client, connect(Number(port), hostname)));
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port: ownPort } = this.#server.address() as AddressInfo;
    return Object.assign(new URL(url), { host: `127.0.0.1:${ownPort}` }).href;
  };

  /** Drops all data from now on, and leaves the connections open. */
  stall(): void {
    this.#isStalled = true;
  }

  /**
   * Cuts the connection at the nth packet from now on: before Postgres gets the packet, or before the answer arrives.
   */
  cutAt(nth: number, when: 'unsent' | 'unanswered'): void {
    this.#packetsLeft = nth;
    this.#isAnswerLost = when === 'unanswered';
  }

  /** True once `cutAt` has cut a connection. */
  get wasCut(): boolean {
    return this.#packetsLeft <= 0;
  }

  /** Ends all connections, and accepts no more. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const socket of this.#sockets) socket.destroy();
    });
  }

  #link(client: Socket, server: Socket): void {
    const readKinds = createKindReader();
    let isCut = false;
    const end = () => {
      for (const socket of [client, server]) socket.destroy();
    };
    client.on('data', (bytes) => {
      // Each statement ends with a Query or a Sync.
      this.statements += readKinds(bytes).filter((kind) => kind === 'Q' || kind === 'S').length;
      this.#packetsLeft -= 1;
      isCut ||= this.#packetsLeft === 0;
      if (isCut && !this.#isAnswerLost) end();
      else if (!this.#isStalled) server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (isCut) end();
      else if (!this.#isStalled) client.write(bytes);
    });
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        this.#sockets.delete(socket);
        end();
      });
    }
  }
}

/** Reads the types of a client's messages (postgresql.org/docs/18/protocol-message-formats.html). */
function createKindReader(): (bytes: Buffer) => string[] {
  let rest: Buffer = Buffer.alloc(0);
  // The first message of a client has no type.
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
