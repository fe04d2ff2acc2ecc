import { fileURLToPath } from 'node:url';
import type { Environment } from '../config/config.ts';
import type { TestProcess } from '../test/support/processes.ts';
import { type Figure, median, ratio, spread } from './figures.ts';
import { startInOwnSession } from './processes.ts';
import { processorSeconds } from './processor.ts';
import { urls } from './site.ts';
import { type Customer, type Stack, startStack } from './stack.ts';
import { atOnce, checkAll, linkinator, startSite } from './throughput.ts';

const count = 1000;
const rounds = 9;
/** Rounds before the first that counts: a worker serves for days, and is slower in its first ten thousand checks. */
const warmUp = 12;

interface Kind {
  name: string;
  path: string;
  scheme: 'http' | 'https';
  /** Of the worker's processor, against the bare loop's. */
  processorMax: number;
  /** Of its speed, against linkinator's; null where that fetches nothing that we do. */
  speedMin: number | null;
}

const kinds: Kind[] = [
  { name: '33 KB pages', path: 'page', scheme: 'http', processorMax: 1.35, speedMin: 0.6 },
  { name: '3 KB pages', path: 'small', scheme: 'http', processorMax: 1.35, speedMin: 1.5 },
  { name: '3 KB pages, fresh TLS', path: 'small', scheme: 'https', processorMax: 1.35, speedMin: null },
];

/** The test's own authority, which signs for one loopback address. */
const trusting: Environment = {
  NODE_EXTRA_CA_CERTS: fileURLToPath(new URL('../test/support/certificates/ca.pem', import.meta.url)),
  CHECK_HOST_CONCURRENCY: '100',
};

/** What a check costs the worker beside a bare loop and the linkinator command, turn by turn. */
export async function* benchCosts(): AsyncGenerator<Figure> {
  const stack = await startStack();
  try {
    const customer = await stack.customer(10_000_000);
    for (const kind of kinds) yield* await figuresOf(stack, customer, kind);
  } finally {
    await stack.stop();
  }
}

interface Taken {
  ms: number[];
  processorMs: number[];
}

async function figuresOf(stack: Stack, customer: Customer, kind: Kind): Promise<Figure[]> {
  const { name, path, scheme, processorMax, speedMin } = kind;
  const site = await startSite(0, ...(scheme === 'https' ? ['tls'] : []));
  const port = Number(site.said);
  const worker = await stack.startWorker(trusting);
  const bare = await startBare(port, path, scheme);
  const ours: Taken = { ms: [], processorMs: [] };
  const loops: Taken = { ms: [], processorMs: [] };
  const others: number[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    await take(ours, worker, () => checkAll(stack, customer, port, count, path, scheme), round);
    await take(loops, bare, async () => Number(await bare.ask('go')), round);
    if (round >= 0) others.push(await linkinator(urls(port, count, path, scheme), trusting));
  }
  await Promise.all([worker.stop(), bare.stop(), site.stop()]);
  return [
    ratio(
      `${name}: the worker’s processor for a check, against a bare loop’s`,
      [median(ours.processorMs), median(loops.processorMs)],
      { atMost: processorMax, note: `${fine(ours.processorMs)} against ${fine(loops.processorMs)}` },
    ),
    ratio(`${name}: speed against the linkinator command`, [median(others), median(ours.ms)], {
      atLeast: speedMin ?? undefined,
      note: `${spread(ours.ms)} against ${spread(others)}`,
    }),
    ratio(`${name}: speed against the bare loop`, [median(loops.ms), median(ours.ms)], {
      note: `${spread(ours.ms)} against ${spread(loops.ms)}`,
    }),
  ];
}

function startBare(port: number, path: string, scheme: string): Promise<TestProcess> {
  return startInOwnSession(
    ['bench/bare-loop.ts', String(port), String(count), String(atOnce), path, scheme],
    { PATH: process.env.PATH, ...trusting },
    /ready ([\d.]+)\n/,
    { isAsked: true },
  );
}

async function take(
  taken: Taken,
  { pid }: TestProcess,
  act: () => Promise<number>,
  round: number,
): Promise<void> {
  const before = await processorSeconds(pid);
  const ms = await act();
  const seconds = (await processorSeconds(pid)) - before;
  if (round < 0) return;
  taken.ms.push(ms);
  taken.processorMs.push((seconds * 1000) / count);
}

function fine(values: number[]): string {
  const [least, middle, most] = [Math.min(...values), median(values), Math.max(...values)];
  return `${middle.toFixed(2)} ms (${least.toFixed(2)}–${most.toFixed(2)})`;
}
