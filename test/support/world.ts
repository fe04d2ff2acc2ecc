import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';

/** Servers at all addresses, for tests in a namespace where every address is this machine. */
export interface World {
  /** Contacts since the last `clear`, as `address port`. */
  contacts: string[];
  clear(): void;
  close(): Promise<void>;
}

// Ports of web servers, and ports that attackers want: mail, databases, caches, containers, consoles.
export const worldPorts = [
  22, 25, 53, 80, 110, 143, 389, 443, 587, 2375, 2379, 3000, 3306, 5000, 5672, 5984, 6000, 6379, 6443, 6667,
  7001, 8000, 8080, 8081, 8443, 8500, 8888, 9000, 9090, 9200, 10250, 11211, 15672, 27017,
];

/** Listens on these ports at every address, IPv4 and IPv6. `/to/<url>` redirects to the URL. */
export async function openWorld(): Promise<World> {
  const contacts: string[] = [];
  const listen = (host: string, port: number) =>
    new Promise<Server>((resolve, reject) => {
      const server = createServer(answer);
      server.on('connection', (socket) => contacts.push(`${socket.localAddress} ${socket.localPort}`));
      server.on('clientError', (_error, socket) => socket.destroy());
      server.once('error', reject);
      server.listen({ host, port, ipv6Only: true }, () => resolve(server));
    });
  const servers = await Promise.all(
    worldPorts.flatMap((port) => [listen('0.0.0.0', port), listen('::', port)]),
  );
  return {
    contacts,
    clear: () => contacts.splice(0),
    close: async () => {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

/** Returns the number of TCP connections that were attempted in this namespace. */
export function connectionsBegun(): number {
  const [names = [], values = []] = readFileSync('/proc/net/snmp', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('Tcp:'))
    .map((line) => line.split(' '));
  return Number(values[names.indexOf('ActiveOpens')]);
}

const answer: RequestListener = (req, res) => {
  const location = /^\/to\/(.*)$/.exec(req.url ?? '')?.[1];
  // Node sends each character of a header as one byte, so the UTF-8 bytes are characters here.
  const bytes = Buffer.from(decodeURIComponent(location ?? '')).toString('latin1');
  if (location) res.writeHead(302, { Location: bytes, 'Content-Length': 0 }).end();
  else res.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': 4 }).end('here');
};
