import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what any system hands out by itself, to listeners on port 0 and to connections that go out. */
const least = 15_000;
const most = 32_000;
const tries = 100;

/**
 * A port that was free a moment ago, for what must know its own address before it starts, and that stays so: of those
 * that are handed out, another test would be given the same one before long.
 */
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
