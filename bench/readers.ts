import { monitorEventLoopDelay } from 'node:perf_hooks';
import { checkHttpStatus } from '../checks/http/http-status.ts';
import { Siblings } from '../checks/page/findings.ts';
import { readGoogleHtml } from '../checks/search/google/html.ts';
import { readJson } from '../checks/search/upstream/json.ts';
import { createAddressPolicy } from '../net/address.ts';
import { createAgents } from '../net/agent.ts';
import { createResolver } from '../net/resolver.ts';
import { heldMs } from '../test/support/growth.ts';
import { pages } from '../test/support/hostile/pages.ts';
import { serveHostile } from '../test/support/hostile.ts';
import { type Worst, worstGooglePages, worstJson } from '../test/support/worst-serps.ts';
import type { Figure } from './figures.ts';

/** A reader that holds the event loop for longer makes every other request of the process wait. */
const heldMsMax = 50;

/**
 * How long the worst answers of providers hold the event loop: of each the best of nine rounds, and of those
 * the longest.
 */
export async function benchReaders(): Promise<Figure[]> {
  return [
    await checksOfHostilePages(),
    await figure('pages of Google', worstGooglePages, (html) => readGoogleHtml(html, 'bench')),
    await figure('JSON', worstJson, (text) => readJson(text, 'bench')),
  ];
}

async function figure(what: string, worst: Worst, read: (text: string) => unknown): Promise<Figure> {
  const held: Array<{ title: string; ms: number }> = [];
  for (const [title, input] of Object.entries(worst))
    held.push({ title, ms: await bestOf(9, read, input(1)) });
  const longest = held.reduce((one, other) => (other.ms > one.ms ? other : one));
  return {
    what: `worst ${what}: event loop held`,
    value: `${longest.ms.toFixed(1)} ms of processor time by ${longest.title}`,
    bar: `≤ ${heldMsMax} ms`,
    isMet: longest.ms <= heldMsMax,
  };
}

/** Whole checks of pages made to keep a reader busy, by the clock on the wall: the best of three rounds. */
async function checksOfHostilePages(): Promise<Figure> {
  const server = await serveHostile();
  const policy = createAddressPolicy(['127.0.0.0/8']);
  const agents = createAgents({ policy, resolver: createResolver() });
  const signal = new AbortController().signal;
  const tools = {
    policy,
    agents,
    siblings: new Siblings(),
    accountId: 1,
    userAgent: 'bench',
    timeoutMs: 60_000,
    signal,
  };
  const longestMs: number[] = [];
  for (let round = 0; round < 3; round++) {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    for (const name of Object.keys(pages) as Array<keyof typeof pages>)
      await checkHttpStatus({ url: server.url(name), followRedirects: true }, tools);
    delay.disable();
    longestMs.push(delay.max / 1e6);
  }
  agents.close();
  await server.close();
  const value = `${Math.min(...longestMs).toFixed(1)} ms at most`;
  return { what: 'checks of hostile pages: event loop held', value, bar: null, isMet: true };
}

async function bestOf(rounds: number, read: (text: string) => unknown, text: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const ms = await heldMs(() => {
      try {
        read(text);
      } catch {
        // Many are refused; what counts is how soon.
      }
    });
    times.push(ms);
  }
  return Math.min(...times);
}
