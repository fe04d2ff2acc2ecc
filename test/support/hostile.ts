/**
 * A server that misbehaves as the path says. test/checks/http/hostile-targets.test.ts has the expected answer to each
 * behaviour, and fails when one is missing.
 *
 * | Class                              | Behaviours                                                                   |
 * | ---------------------------------- | ---------------------------------------------------------------------------- |
 * | closed at any stage                | answers: silent, close*, reset*                                              |
 * | noise, HTTP/0.9, other protocols   | answers: garbage, endless-noise, http-*, shoutcast, ssh                      |
 * | invalid status lines               | answers: status-*                                                            |
 * | slow, many or malformed headers    | answers: half-, dripping-, many-headers, header-*, cookie-flood              |
 * | floods of 1xx, forced upgrades     | answers: continue-flood, early-hints-*, processing-drip, switching-protocols |
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
import { answers } from './hostile/answers.ts';
import { bodies } from './hostile/bodies.ts';
import { pages } from './hostile/pages.ts';
import { redirects } from './hostile/redirects.ts';
import type { Behaviour } from './hostile/speak.ts';
import { serveRaw } from './raw-server.ts';

export const behaviours = { ...answers, ...bodies, ...pages, ...redirects };

export interface HostileServer {
  url(behaviour: keyof typeof behaviours): string;
  close(): Promise<void>;
}

export async function serveHostile(): Promise<HostileServer> {
  const { url, close } = await serveRaw((socket, target) => {
    const path = target.slice(1);
    const behave = (behaviours as Record<string, Behaviour>)[path.split('?')[0] ?? ''];
    if (behave) behave(socket, path);
    else socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
  });
  return { url: (behaviour) => `${url}/${behaviour}`, close };
}
