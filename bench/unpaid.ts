import { setTimeout as pause } from 'node:timers/promises';
import type { Crowd } from './crowd.ts';
import type { Figure } from './figures.ts';
import { largeBodies, pathOf } from './large-bodies.ts';
import { disperse, startCrowd } from './neighbours/processes.ts';
import { processorSeconds } from './processor.ts';
import { type Stack, startStack } from './stack.ts';

/** As long as a window of the rate limits, so that one is begun and used up. */
const windowMs = 60_000;

const asks: Record<string, Partial<Crowd>> = {
  ...Object.fromEntries(
    Object.keys(largeBodies).map((kind) => [kind, { path: pathOf(kind), largeBody: kind, atOnce: 4 }]),
  ),
  'requests for nothing': { path: '/http-status', body: '{"url":"https://a.example/"}', atOnce: 20 },
  'its own balance': { path: '/credits', atOnce: 20 },
};

/** Seconds of the web's processor that an account without a credit takes in a minute, asking on whatever it is told. */
export async function benchUnpaid(): Promise<Figure[]> {
  const stack = await startStack({ RATE_LIMIT_PER_MINUTE: '600' });
  try {
    const figures: Figure[] = [];
    for (const [what, ask] of Object.entries(asks)) figures.push(await figureOf(stack, what, ask));
    return figures;
  } finally {
    await stack.stop();
  }
}

async function figureOf(stack: Stack, what: string, ask: Partial<Crowd>): Promise<Figure> {
  const { token } = await stack.customer(0);
  const before = await processorSeconds(stack.webPid);
  const baseUrl = `${stack.baseUrl}/api/v1`;
  const crowd = await startCrowd({ baseUrl, callers: [{ token }], atOnce: 1, path: '', ...ask });
  await pause(windowMs);
  const statuses = await disperse(crowd);
  const seconds = (await processorSeconds(stack.webPid)) - before;
  const value = `${seconds.toFixed(1)} s of the web’s processor in a minute, ${JSON.stringify(statuses)}`;
  return { what: `without a credit: ${what}`, value, bar: null, isMet: true };
}
