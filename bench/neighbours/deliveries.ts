import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { deadlines } from '../../config/deadlines.ts';
import type { Figure } from '../figures.ts';
import { type Customer, type Stack, startStack } from '../stack.ts';
import { hostOf, measureBeside } from './beside.ts';
import { startOutside } from './processes.ts';

const places = 60;
/** Places that only accounts with no delivery under way are given. */
const forNewcomers = 12;
/** More than one account may have under way; fewer for each of many, who fill every place all the same. */
const perAccount = (accounts: number) => (accounts < 20 ? 16 : 4);
const settleMs = 3000;

/** From the end of a batch until its webhook has arrived, beside accounts whose receivers hang. */
export async function benchDeliveries(): Promise<Figure[]> {
  const outside = await startOutside();
  const receiver = await startReceiver();
  const stack = await startStack();
  try {
    const worker = await stack.startWorker();
    const target = (host: string) => [`http://${host}:${outside.port}/quick`];
    const hook = (account: number, index: number) =>
      `http://${hostOf(account + 1, index)}:${outside.port}/hang/hook`;
    const order = (who: Customer, urls: string[], webhook: string) =>
      stack.post(who, '/http-status/bulk', { urls, webhook_url: webhook });
    const figures = await measureBeside(stack, {
      what: 'a webhook',
      credits: 10_000,
      rounds: 2,
      victims: 3,
      work: async (victim) => {
        const { url, arrived } = receiver.expect();
        const { body } = await order(victim, target('127.1.1.1'), url);
        return (await arrived) - (await endOf(stack, victim, String(body.batch_id)));
      },
      gather: async (greedy) => {
        // One of each account, then the next: none of them came first.
        for (let round = 0; round < perAccount(greedy.length); round++)
          await Promise.all(
            greedy.map((one, index) => order(one, target(hostOf(index + 1, round)), hook(index, round))),
          );
        await pause(settleMs);
        return async () => {
          await outside.release();
          await pause(settleMs);
          await outside.hold();
        };
      },
      promisedMs: (n, quietMs) =>
        quietMs + (n < places - forNewcomers ? 0 : ((n + 1) * deadlines.deliveryMs) / places),
    });
    // Whatever still hangs would keep it from stopping.
    worker.kill('SIGKILL');
    return figures;
  } finally {
    await stack.stop();
    await outside.stop();
    await receiver.close();
  }
}

async function endOf({ connection: { db } }: Stack, victim: Customer, batchId: string): Promise<number> {
  // The API says it in whole seconds.
  const { completedAt } = await db
    .selectFrom('batches')
    .select('completedAt')
    .where('accountId', '=', victim.accountId)
    .where('batchId', '=', batchId)
    .executeTakeFirstOrThrow();
  return completedAt?.getTime() ?? Number.NaN;
}

/** Takes webhooks, each at an address of its own, and says when it came: milliseconds since the epoch. */
async function startReceiver() {
  const expected = new Map<string, (atMs: number) => void>();
  const server = createServer((req, res) => {
    expected.get(req.url ?? '')?.(Date.now());
    req.resume();
    res.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let count = 0;
  return {
    expect: () => {
      const path = `/hook/${++count}`;
      const arrived = new Promise<number>((resolve) => expected.set(path, resolve));
      return { url: `http://127.0.0.1:${port}${path}`, arrived };
    },
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
