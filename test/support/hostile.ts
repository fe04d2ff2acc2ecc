/**
 * Servers that misbehave, each as its path asks for. What a check answers to each of them stands in
 * test/checks/http/hostile-targets.test.ts, which fails when one is missing there.
 *
 * | Class                              | Behaviours                                                                   |
 * | ---------------------------------- | ---------------------------------------------------------------------------- |
 * | left at any stage                  | answers: silent, close*, reset*                                              |
 * | noise, HTTP/0.9, other protocols   | answers: garbage, endless-noise, http-*, shoutcast, ssh                      |
 * | status lines that are none         | answers: status-*                                                            |
 * | slow, many or malformed headers    | answers: half-, dripping-, many-headers, header-*, cookie-flood              |
 * | floods of 1xx, unasked upgrades    | answers: continue-flood, early-hints-*, processing-drip, switching-protocols |
 * | lies about length                  | answers: *-length, two-lengths, length-and-chunks, *-with-body               |
 * | smuggled second responses          | answers: two-responses*                                                      |
 * | bombs, corrupt and unknown codings | bodies: *-bomb, *-coding(s), false-*, cut-gzip, gzip-and-more, empty-gzip    |
 * | endless and dripping bodies        | bodies: endless-*, dripping-*, held-body                                     |
 * | broken chunks                      | bodies: *-chunk(s), chunk-extensions, endless-trailers, *-transfer           |
 * | charsets                           | bodies: *-charset(s), *utf-*, null-bytes, type-is-garbage                    |
 * | huge and deep pages                | pages: all                                                                   |
 * | redirects without end or sense     | redirects: all                                                               |
 * | TLS                                | tls.ts: all                                                                  |
 */
import { createServer, type Socket } from 'node:net';
import { answers } from './hostile/answers.ts';
import { bodies } from './hostile/bodies.ts';
import { pages } from './hostile/pages.ts';
import { redirects } from './hostile/redirects.ts';
import type { Behaviour } from './hostile/speak.ts';

export const behaviours = { ...answers, ...bodies, ...pages, ...redirects };

export interface HostileServer {
  url(behaviour: keyof typeof behaviours): string;
  close(): Promise<void>;
}

/** Speaks bytes, since no library would. */
export async function serveHostile(): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    socket.on('data', (data) => {
      const path = /^\w+ \/(\S*)/.exec(String(data))?.[1] ?? '';
      const behave = (behaviours as Record<string, Behaviour>)[path.split('?')[0] ?? ''];
      if (behave) behave(socket, path);
      else socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: (behaviour) => `http://127.0.0.1:${port}/${behaviour}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
