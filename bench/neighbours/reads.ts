import { setTimeout as pause } from 'node:timers/promises';
import { fillAccount } from '../dashboard-rows.ts';
import type { Figure } from '../figures.ts';
import { type Customer, type Stack, startStack } from '../stack.ts';
import { measureBeside, type Neighbourhood } from './beside.ts';
import { startCrowd } from './processes.ts';

const bigRows = 2000;
const pageRows = 100;
/** As many answers as are sent to one account at the same time. */
const atOnce = 4;
const settleMs = 2000;

/** The balance, and a result of 100 rows, beside accounts that read results of 2,000 rows without a pause. */
export async function benchReads(): Promise<Figure[]> {
  const stack = await startStack();
  try {
    const own = new Map<number, string>();
    const page = async (victim: Customer) => {
      const batchId = own.get(victim.accountId) ?? (await filled(stack, victim, pageRows));
      own.set(victim.accountId, batchId);
      return timed(() => stack.get(victim, `/batch/${batchId}`));
    };
    const balance = (victim: Customer) => timed(() => stack.get(victim, '/credits'));
    return [
      ...(await measureBeside(stack, besideReaders(stack, 'the balance', balance))),
      ...(await measureBeside(stack, besideReaders(stack, 'a result of 100 rows', page))),
    ];
  } finally {
    await stack.stop();
  }
}

function besideReaders(stack: Stack, what: string, work: Neighbourhood['work']): Neighbourhood {
  return {
    what,
    work,
    credits: 10_000,
    rounds: 9,
    gather: async (greedy) => {
      const callers = greedy.map(async (one) => ({
        token: one.token,
        id: await filled(stack, one, bigRows),
      }));
      const crowd = await startCrowd({
        baseUrl: `${stack.baseUrl}/api/v1`,
        callers: await Promise.all(callers),
        atOnce,
        path: '/batch/{id}',
      });
      await pause(settleMs);
      return async () => {
        crowd.kill('SIGKILL');
        await crowd.ended;
        await pause(settleMs);
      };
    },
    // The process that answers them all is what they share.
    promisedMs: (n, quietMs) => quietMs * (n + 1),
  };
}

/** The id of an ended batch of so many rows, made for the account. */
async function filled({ connection: { db } }: Stack, { accountId }: Customer, rows: number): Promise<string> {
  await fillAccount(db, accountId, 1, rows);
  const { batchId } = await db
    .selectFrom('batches')
    .select('batchId')
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  return batchId;
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await act();
  return performance.now() - startedMs;
}
