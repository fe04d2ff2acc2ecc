import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server on loopback that can be cut: what is connected ends, and nothing connects any more. */
export class SeverableWay {
  readonly #sockets = new Set<Socket>();
  #server = createServer();
  #isSilent = false;

  /** The same address by way of here. */
  to = async (target: string): Promise<string> => {
    const { hostname, port } = new URL(target);
    this.#server.on('connection', (near) => this.#join(near, connect(Number(port), hostname)));
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const url = new URL(target);
    url.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return url.href;
  };

  /** From now on nothing comes through, either way, and nobody is told. */
  fallSilent(): void {
    this.#isSilent = true;
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  cut(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const socket of this.#sockets) socket.destroy();
    });
  }

  #join(near: Socket, far: Socket): void {
    if (!this.#isSilent) near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        this.#sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
  }
}
