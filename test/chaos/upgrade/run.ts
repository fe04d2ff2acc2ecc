import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../../config.ts';
import type { Kind, Member } from '../crew.ts';
import { Customer } from '../customer.ts';
import { ChaosDatabase } from '../database.ts';
import { terminate } from '../deaths.ts';
import { expectQuiet } from '../ending.ts';
import { type Ground, onGround } from '../ground.ts';
import { Journal } from '../journal.ts';
import { type Proof, prove, some } from '../proof.ts';
import { long } from '../scales.ts';
import { Poller } from './poller.ts';
import { Released, runNow } from './released.ts';
import { layDown, type Sleeper } from './sleeper.ts';

export interface UpgradeOutcome {
  seed: number;
  journal: Journal;
  proof: Proof | null;
  problems: string[];
}

interface Wanted {
  seed: number;
  /** The commit of the version that serves first. */
  from: string;
  /** Items that it has checked long before; a multiple of 10,000. */
  items: number;
  print: (line: string) => void;
  signal?: AbortSignal;
}

type Stage = Pick<Wanted, 'seed' | 'items'> & Ground & { released: Released; poller: Poller };

const timeoutMs = 20 * 60_000;
const customersMax = 4;
const aloneMs = 10_000;
const togetherMs = 20_000;
/** From when a web process is no longer given requests until it is told to stop, as behind a proxy. */
const drainMs = 2000;

/**
 * A released version serves customers; `npm run migrate` of this one runs beside it, twice; then this one's processes
 * serve together with the old ones, and then alone. No request may have to be sent again, and no item may fail.
 */
export async function runUpgrade({ seed, from, items, print, signal }: Wanted): Promise<UpgradeOutcome> {
  const journal = new Journal(print);
  journal.say(`${from} is unpacked, and its modules installed`);
  const released = await Released.unpack(from);
  const poller = new Poller();
  const prepare = async (env: Environment) => void (await released.run(['db/migrate.ts'], env));
  const openDatabase = () => ChaosDatabase.start(undefined, { prepare });
  const { proof, problems } = await onGround(
    { seed, journal, timeoutMs, print, signal, faultShare: 0, openDatabase },
    {
      play: (ground) => play({ ...ground, seed, items, released, poller }),
      shortcomings: ({ client }, proof) => shortcomings(client.setbacks, poller.setbacks, proof),
    },
  );
  await released.remove();
  return { seed, journal, proof, problems };
}

function shortcomings(sentAgain: string[], unanswered: string[], proof: Proof | null): string[] {
  const failed = Object.entries(proof?.failed ?? {}).filter(([error]) => error !== 'canceled');
  return [
    ...some(sentAgain, (setback) => `sent again: ${setback}`),
    ...some(unanswered, (setback) => setback),
    ...failed.map(([error, count]) => `${count} items failed: ${error}`),
  ];
}

async function play(stage: Stage): Promise<Proof> {
  const { released, journal, over, database, world, client, poller } = stage;
  const old = {
    web: await pair(stage, 'web', released.home),
    worker: await pair(stage, 'worker', released.home),
  };
  const customers = await Promise.all(Array.from({ length: customersMax }, () => signUp(stage, 10_000_000)));
  const closing = new AbortController();
  const stopping = AbortSignal.any([closing.signal, over]);
  const living = [
    ...customers.map((one) => one.live(stopping)),
    poller.live({ ...stage, customers }, stopping),
  ];
  for (const one of living) one.catch(() => {});
  let sleeper: Sleeper;
  try {
    await sleep(aloneMs, undefined, { signal: over });
    const { accountId } = await signUp(stage, stage.items);
    sleeper = await layDown(database.db, { accountId, items: stage.items });
    journal.note(`${stage.items} items of before are laid down`);
    for (const time of ['first', 'second']) await migrate(stage, time);
    await sleep(aloneMs, undefined, { signal: over });
    const fresh = { web: await pair(stage, 'web'), worker: await pair(stage, 'worker') };
    tellLongest(stage, 'after it');
    journal.say('old and new serve together');
    await sleep(togetherMs, undefined, { signal: over });
    for (const web of old.web) web.isPublic = false;
    await sleep(drainMs);
    await Promise.all([...old.web, ...old.worker].map((member) => terminate(stage, member)));
    journal.say('the new ones serve alone');
    await sleep(aloneMs, undefined, { signal: over });
    closing.abort();
    await Promise.all(living);
    await expectQuiet(stage);
    await Promise.all([...fresh.web, ...fresh.worker].map((member) => terminate(stage, member)));
  } finally {
    closing.abort();
  }
  tellLongest(stage, 'from then on');
  journal.note(`${poller.polls} polls; ${client.setbacks.length} requests had to be sent again`);
  return prove(database.db, [...customers, sleeper], world.received);
}

function pair({ crew }: Stage, kind: Kind, home: string | null = null): Promise<Member[]> {
  return Promise.all([crew.start(kind, null, { home }), crew.start(kind, null, { home })]);
}

/** A customer whose account the released version makes, with an address for each. */
async function signUp({ released, crew, random, client, database, world, seed }: Stage, credits: number) {
  const args = [
    '--email',
    `${random.integer(0, 1e9)}-${seed}@example.com`,
    '--password',
    'long enough',
    '--credits',
    `${credits}`,
  ];
  const said = await released.run(
    ['admin/main.ts', '--json', 'account', 'create', ...args],
    crew.env('admin'),
  );
  const { account_id: accountId, token } = JSON.parse(said) as { account_id: number; token: string };
  let batches = accountId * 1_000_000;
  const nextBatch = () => {
    batches += 1;
    return batches;
  };
  return Customer.of(
    { accountId, token },
    { db: database.db, client, world, random, scale: long, nextBatch },
  );
}

async function migrate(stage: Stage, time: string): Promise<void> {
  const { journal, crew } = stage;
  tellLongest(stage, `before the ${time} migrate`);
  const startedS = journal.seconds;
  const said = await runNow(['migrate.ts'], crew.env('migrate'));
  const letGo = said.match(/waits for others/g)?.length ?? 0;
  journal.note(
    `the ${time} migrate took ${(journal.seconds - startedS).toFixed(1)} s, and let go of a lock ${letGo} times`,
  );
  tellLongest(stage, `under the ${time} migrate`);
}

function tellLongest({ journal, poller }: Stage, when: string): void {
  journal.note(`the longest poll ${when}: ${poller.takeLongestMs().toFixed(0)} ms`);
}
