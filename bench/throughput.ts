import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Environment } from '../config/config.ts';
import type { TestProcess } from '../test/support/processes.ts';
import { type Figure, median, ratio, spread } from './figures.ts';
import { ownSession, startInOwnSession } from './processes.ts';
import { siteUrls } from './site.ts';
import type { Customer, Stack } from './stack.ts';

const run = promisify(execFile);

const count = 2000;
const rounds = 3;
/** Number of the 100 check slots that one account can use. The baselines have the same concurrency. */
export const concurrency = 75;

/** Runs the linkinator command on the same pages, without following links. Returns milliseconds. */
export async function runLinkinator(list: string[], env: Environment = {}): Promise<number> {
  const startedMs = performance.now();
  const options = ['--silent', '--skip', '/category/|/shoe', '--concurrency', String(concurrency)];
  const [file = '', ...args] = [...ownSession, 'node_modules/.bin/linkinator', ...list, ...options];
  await run(file, args, {
    maxBuffer: 1e9,
    env: { PATH: process.env.PATH, ...env },
  });
  return performance.now() - startedMs;
}

/** Measures two workers against one on slow targets, so that slots are the limit and not the CPU. */
export async function benchThroughput(stack: Stack): Promise<Figure[]> {
  const customer = await stack.createCustomer(10_000_000);
  const site = await startSite(200);
  const port = Number(site.said);
  const first = await stack.startWorker();
  await timeBatch(stack, customer, port, 200);
  const one: number[] = [];
  const two: number[] = [];
  for (let round = 0; round < rounds; round++) one.push(await timeBatch(stack, customer, port, count));
  const second = await stack.startWorker();
  for (let round = 0; round < rounds; round++) two.push(await timeBatch(stack, customer, port, count));
  await Promise.all([first.stop(), second.stop(), site.stop()]);
  return [
    ratio('two workers against one, targets of 200 ms', [median(one), median(two)], {
      atLeast: 1.6,
      note: `${spread(two)} against ${spread(one)}`,
    }),
  ];
}

export function startSite(delayMs: number, ...args: string[]): Promise<TestProcess> {
  return startInOwnSession(
    ['bench/site.ts', String(delayMs), ...args],
    { PATH: process.env.PATH },
    /ready (\d+)\n/,
  );
}

/** Submits a batch. Returns the milliseconds from the request to the last stored outcome. */
export async function timeBatch(
  stack: Stack,
  customer: Customer,
  port: number,
  many: number,
  path?: string,
  scheme?: string,
): Promise<number> {
  const startedMs = performance.now();
  const list = siteUrls(port, many, path, scheme);
  const { body } = await stack.post(customer, '/http-status/bulk', { urls: list });
  await stack.waitUntilEnded(customer, String(body.batch_id));
  return performance.now() - startedMs;
}
