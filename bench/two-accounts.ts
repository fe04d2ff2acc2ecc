import { setTimeout as pause } from 'node:timers/promises';
import { asSerper, startGoogle, type TestGoogle } from '../test/support/google.ts';
import type { SeenRequest } from '../test/support/provider.ts';
import type { Figure } from './figures.ts';
import { type Customer, type Stack, startStack } from './stack.ts';

const dailyLimit = 200;
/** What one account may have of a day's calls in the morning, when another asks later. */
const shareMax = 0.5 * dailyLimit;
// A share grows from noon on, and is all of it at the end of the day: both workers are told that it is six.
const isMorning = `data:text/javascript,const now = Date.now; const day = 864e5;
  const back = (now() % day) - day / 4; Date.now = () => now() - back;`.replaceAll('\n', ' ');

/** Three ways to spend what is another's at a provider, of one account with credits, by web and two workers. */
export async function* benchTwoAccounts(): AsyncGenerator<Figure> {
  yield* await beside({}, async (stack, google, one, other) => {
    google.serper.willAnswer(oddOr(asSerper, () => ({ searchParameters: { q: 'x' } })));
    await batchOf(stack, one, 60, 'odd');
    const before = google.serper.seen.length;
    const answered = await batchOf(stack, other, 20, 'indexed');
    const value = `${before} calls for sixty that nobody can read; twenty of another account: ${answered} answered`;
    return [figure('a provider that one account cannot read', value, answered === 20)];
  });
  yield* await beside({}, async (stack, google, one) => {
    google.serper.willAnswer(
      oddOr(asSerper, ({ body }) => ({ ...asSerper(JSON.parse(body)), ...rewritten })),
    );
    for (let time = 0; time < 3; time++) await batchOf(stack, one, 30, 'odd');
    const calls = google.serper.seen.length;
    return [figure('thirty rewritten queries three times', `${calls} calls of ninety`, calls <= 60)];
  });
  yield* await beside({ PROVIDER_DAILY_LIMIT: String(dailyLimit) }, async (stack, google, one, other) => {
    const queries = Array.from({ length: 60 }, (_, n) => ({
      ...{ url: 'nobody.example', keyword: `words ${n}` },
      end_page: 10,
    }));
    await stack.post(one, '/keyword-track', { queries });
    const calls = await settled(() => google.serper.seen.length);
    const answered = await batchOf(stack, other, 20, 'indexed');
    const value = `${calls} of a day’s ${dailyLimit} calls for six hundred pages; twenty of another: ${answered} answered`;
    return [figure('the day of a provider', value, calls <= shareMax && answered === 20)];
  });
}

const rewritten = { searchParameters: { q: 'other words' } };

type Try = (stack: Stack, google: TestGoogle, one: Customer, other: Customer) => Promise<Figure[]>;

async function beside(env: Record<string, string>, act: Try): Promise<Figure[]> {
  const google = await startGoogle({ delayMs: 20 });
  const stack = await startStack({ ...google.env('serper'), RATE_LIMIT_PER_MINUTE: '600', ...env });
  try {
    const own = { NODE_OPTIONS: `--import="${isMorning}"` };
    await Promise.all([stack.startWorker(own), stack.startWorker(own)]);
    return await act(stack, google, await stack.customer(1000), await stack.customer(1000));
  } finally {
    await stack.stop();
    await google.close();
  }
}

/** How many of a batch of index checks were answered. */
async function batchOf(stack: Stack, customer: Customer, size: number, word: string): Promise<number> {
  const urls = Array.from({ length: size }, (_, n) => `https://${word}-${n}.example/`);
  const { body } = await stack.post(customer, '/check/bulk', { urls });
  const id = String(body.batch_id);
  await stack.ended(customer, id);
  return Number((await stack.get(customer, `/batch/${id}?results=none`)).successful);
}

/** What is asked about `odd` names is answered so, all else as it is. */
function oddOr(well: typeof asSerper, odd: (request: SeenRequest) => object) {
  return (request: SeenRequest) => ({
    body: /odd-/.test(request.body) ? odd(request) : well(JSON.parse(request.body)),
  });
}

/** A number that has stayed the same for five seconds. */
async function settled(count: () => number): Promise<number> {
  for (let before = -1; before !== count(); ) {
    before = count();
    await pause(5000);
  }
  return count();
}

function figure(what: string, value: string, isMet: boolean): Figure {
  return { what, value, bar: 'the other is answered', isMet };
}
