/**
 * A server that misbehaves as the path says. test/checks/http/hostile-targets.test.ts has the expected answer to each
 * behaviour, and fails when one is missing. Forms that browsers accept are in test/checks/http/odd-responses.test.ts.
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
