import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createConnection, createServer, type Server, type Socket } from 'node:net';

/**
 * A proxy to Postgres that the run can close. It listens on loopback, and on a Unix socket for processes whose network
 * namespace has no loopback.
 */
export class Gate {
  readonly port: number;
  readonly #servers: Server[];
  readonly #targetPort: () => number;
  readonly #links = new Set<Link>();
  #isStalled = false;

  private constructor(servers: [Server, ...Server[]], targetPort: () => number) {
    this.#servers = servers;
    this.port = (servers[0].address() as AddressInfo).port;
    this.#targetPort = targetPort;
    for (const server of servers) server.on('connection', (client) => this.#admit(client));
  }

  /** `folder`: folder of the Unix socket, named as libpq expects it. */
  static async open(targetPort: () => number, folder: string): Promise<Gate> {
    const [overTcp, overUnix] = [createServer(), createServer()];
    await once(overTcp.listen(0, '127.0.0.1'), 'listening');
    const { port } = overTcp.address() as AddressInfo;
    await once(overUnix.listen(`${folder}/.s.PGSQL.${port}`), 'listening');
    return new Gate([overTcp, overUnix], targetPort);
  }

  /** Stops forwarding in both directions, without an error on either side. */
  stall(): void {
    this.#isStalled = true;
    for (const link of this.#links) link.stall();
  }

  /** Forwards packets again, including the delayed ones. */
  resume(): void {
    this.#isStalled = false;
    for (const link of this.#links) link.flow();
  }

  /** Ends all connections to Postgres without closing those of the clients. New connections work. */
  losePeers(): void {
    for (const link of this.#links) link.losePeer();
  }

  async close(): Promise<void> {
    for (const link of this.#links) link.end();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  #admit(client: Socket): void {
    const link = new Link(client, this.#targetPort());
    this.#links.add(link);
    client.once('close', () => this.#links.delete(link));
    if (!this.#isStalled) link.flow();
  }
}

class Link {
  readonly #client: Socket;
  readonly #port: number;
  #peer: Socket | null = null;
  #isLost = false;

  constructor(client: Socket, port: number) {
    this.#client = client;
    this.#port = port;
    client.on('error', () => {});
    client.once('close', () => this.#peer?.destroy());
  }

  flow(): void {
    if (this.#isLost || this.#client.destroyed) return;
    this.#peer ??= this.#connect();
    this.#client.pipe(this.#peer);
    this.#peer.pipe(this.#client);
  }

  stall(): void {
    if (!this.#peer) return;
    this.#client.unpipe(this.#peer).pause();
    this.#peer.unpipe(this.#client).pause();
  }

  losePeer(): void {
    this.stall();
    this.#isLost = true;
    this.#peer?.destroy();
  }

  end(): void {
    this.#client.destroy();
  }

  #connect(): Socket {
    const peer = createConnection({ port: this.#port, host: '127.0.0.1' });
    peer.on('error', () => {});
    peer.once('close', () => {
      if (!this.#isLost) this.#client.destroy();
    });
    return peer;
  }
}
