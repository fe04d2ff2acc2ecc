import { fileURLToPath } from 'node:url';
import type { Environment } from '../config/config.ts';
import type { TestProcess } from '../test/support/processes.ts';
import { type Figure, median, ratio, spread } from './figures.ts';
import { startInOwnSession } from './processes.ts';
import { processorSeconds } from './processor.ts';
import { siteUrls } from './site.ts';
import { type Customer, type Stack, startStack } from './stack.ts';
import { concurrency, runLinkinator, startSite, timeBatch } from './throughput.ts';

const count = 1000;
const rounds = 9;
/** Number of rounds that are not measured, because a new worker is slower in its first ten thousand checks. */
const warmUp = 12;

interface Kind {
  name: string;
  path: string;
  scheme: 'http' | 'https';
  /** Maximum CPU time of the worker, as a multiple of the bare loop's. */
  processorMax: number;
  /** Minimum speed, as a multiple of linkinator's; null if there is no minimum. */
  speedMin: number | null;
}

const kinds: Kind[] = [
  { name: '33 KB pages', path: 'page', scheme: 'http', processorMax: 1.35, speedMin: 0.6 },
  { name: '3 KB pages', path: 'small', scheme: 'http', processorMax: 1.35, speedMin: 1.5 },
  { name: '3 KB pages, fresh TLS', path: 'small', scheme: 'https', processorMax: 1.35, speedMin: null },
];

/** Trusts the test CA. The site's certificate is for one loopback address, so the limit per host is raised. */
const trustTestCa: Environment = {
  NODE_EXTRA_CA_CERTS: fileURLToPath(new URL('../test/support/certificates/ca.pem', import.meta.url)),
  CHECK_HOST_CONCURRENCY: '100',
};

/** Measures the cost of a check for the worker, alternating with a bare loop and the linkinator command. */
export async function* benchCosts(): AsyncGenerator<Figure> {
  const stack = await startStack();
  try {
    const customer = await stack.createCustomer(10_000_000);
    for (const kind of kinds) yield* await measureKind(stack, customer, kind);
  } finally {
    await stack.stop();
  }
}

interface Samples {
  ms: number[];
  processorMs: number[];
}

async function measureKind(stack: Stack, customer: Customer, kind: Kind): Promise<Figure[]> {
  const { name, path, scheme, processorMax, speedMin } = kind;
  const site = await startSite(0, ...(scheme === 'https' ? ['tls'] : []));
  const port = Number(site.said);
  const worker = await stack.startWorker(trustTestCa);
  const bare = await startBare(port, path, scheme);
  const ours: Samples = { ms: [], processorMs: [] };
  const bareLoop: Samples = { ms: [], processorMs: [] };
  const linkinatorMs: number[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    await measure(ours, worker, () => timeBatch(stack, customer, port, count, path, scheme), round);
    await measure(bareLoop, bare, async () => Number(await bare.ask('go')), round);
    if (round >= 0) linkinatorMs.push(await runLinkinator(siteUrls(port, count, path, scheme), trustTestCa));
  }
  await Promise.all([worker.stop(), bare.stop(), site.stop()]);
  return [
    ratio(
      `${name}: the worker’s processor for a check, against a bare loop’s`,
      [median(ours.processorMs), median(bareLoop.processorMs)],
      { atMost: processorMax, note: `${precise(ours.processorMs)} against ${precise(bareLoop.processorMs)}` },
    ),
    ratio(`${name}: speed against the linkinator command`, [median(linkinatorMs), median(ours.ms)], {
      atLeast: speedMin ?? undefined,
      note: `${spread(ours.ms)} against ${spread(linkinatorMs)}`,
    }),
    ratio(`${name}: speed against the bare loop`, [median(bareLoop.ms), median(ours.ms)], {
      note: `${spread(ours.ms)} against ${spread(bareLoop.ms)}`,
    }),
  ];
}

function startBare(port: number, path: string, scheme: string): Promise<TestProcess> {
  return startInOwnSession(
    ['bench/bare-loop.ts', String(port), String(count), String(concurrency), path, scheme],
    { PATH: process.env.PATH, ...trustTestCa },
    /ready ([\d.]+)\n/,
    { isAsked: true },
  );
}

async function measure(
  samples: Samples,
  { pid }: TestProcess,
  callback: () => Promise<number>,
  round: number,
): Promise<void> {
  const before = await processorSeconds(pid);
  const ms = await callback();
  const seconds = (await processorSeconds(pid)) - before;
  if (round < 0) return;
  samples.ms.push(ms);
  samples.processorMs.push((seconds * 1000) / count);
}

function precise(values: number[]): string {
  const [min, mid, max] = [Math.min(...values), median(values), Math.max(...values)];
  return `${mid.toFixed(2)} ms (${min.toFixed(2)}–${max.toFixed(2)})`;
}
