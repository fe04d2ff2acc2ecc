import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral ports, which systems assign to listeners on port 0 and to outgoing connections. */
const least = 15_000;
const most = 32_000;
const tries = 100;

/** Returns a free port for a process that must know its address before it starts. No other listener is assigned it. */
export async function freePort(): Promise<number> {
  for (let count = 0; count < tries; count++) {
    const port = randomInt(least, most);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${least} to ${most} is free`);
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
