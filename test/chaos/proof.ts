import { sql } from 'kysely';
import * as batches from '../../db/batches/batches.ts';
import { verify } from '../../db/ledger/verification.ts';
import type { Db } from '../../db/postgres/connect.ts';
import { countWork } from '../../db/queue/job-windows.ts';
import type { CheckType } from '../../schemas/check-types.ts';
import type { ItemError } from '../../schemas/failures.ts';
import { getAnswerPrice } from '../../schemas/features.ts';
import type { Customer } from './customer.ts';
import { wrongIn } from './questions.ts';
import type { Received } from './world.ts';

/** The records after a run, and every broken promise in them. */
export interface Proof {
  problems: string[];
  batches: number;
  singleChecks: number;
  items: number;
  rankChecks: number;
  answered: number;
  /** Answers with an AI Overview whose sources were read. They cost one credit more. */
  overviews: number;
  failed: Partial<Record<ItemError, number>>;
  creditsCharged: number;
  creditsRefunded: number;
  webhooksExpected: number;
  webhooksReceived: number;
}

/** Errors that a run may cause; any other is a fault of ours. */
const fairFailures = new Set<ItemError>([
  'canceled',
  'checker_failed',
  'checker_unreachable',
  'google_unreadable',
]);
const namedMax = 5;

/** Compares all records with the promises to the customers and with the design. */
export async function prove(db: Db, customers: Customer[], received: Map<string, Received>): Promise<Proof> {
  const submitted = customers.flatMap((customer) => customer.batches);
  const credits = await sumCredits(db);
  const items = await countItems(db);
  const expectedDeliveries = submitted.filter(({ receiver }) => receiver !== null);
  const problems = [
    ...customers.flatMap(({ complaints }) => complaints),
    ...(await ledgerProblems(db)),
    ...(await tokenProblems(db)),
    ...(await runProblems(db)),
    ...(await settlementProblems(db)),
    ...(await batchProblems(db, customers)),
    ...(await singleProblems(db, customers)),
    ...(await deliveryProblems(db, customers, received)),
    ...(await jobProblems(db)),
    ...items.problems,
  ];
  return {
    batches: submitted.length,
    singleChecks: customers.reduce((sum, { singles }) => sum + singles.length, 0),
    ...items,
    ...credits,
    webhooksExpected: expectedDeliveries.length,
    webhooksReceived: [...received.values()].reduce((sum, { times }) => sum + times, 0),
    problems,
  };
}

async function sumCredits(db: Db) {
  const { rows } = await sql<{ creditsCharged: number; creditsRefunded: number }>`
    select coalesce(-sum(amount) filter (where kind = 'charge'), 0)::bigint as credits_charged,
      coalesce(sum(amount) filter (where kind = 'refund'), 0)::bigint as credits_refunded
    from ledger_entries`.execute(db);
  return rows[0] ?? { creditsCharged: 0, creditsRefunded: 0 };
}

const wasOverviewRead = sql`outcome -> 'ai_overview' ->> 'state' = 'shown'`;

/** Verifies the books: for each account Σ charges − Σ refunds = number of answers + AI Overviews that were read. */
async function ledgerProblems(db: Db): Promise<string[]> {
  const { faults } = await verify(db);
  const { rows } = await sql<{ accountId: number; paid: number; answered: number }>`
    select account_id, coalesce(paid, 0) as paid, coalesce(answered, 0) as answered
    from (select account_id, -sum(amount)::bigint as paid from ledger_entries
      where kind in ('charge', 'refund') group by account_id) as paid
    full join (select account_id, count(*) + count(*) filter (where ${wasOverviewRead}) as answered
      from items where state = 'success' group by account_id) as answered using (account_id)
    where coalesce(paid, 0) <> coalesce(answered, 0)`.execute(db);
  return [
    ...faults.map((fault) => `the ledger: ${JSON.stringify(fault)}`),
    ...rows.map((row) => `account ${row.accountId} paid ${row.paid} for answers that cost ${row.answered}`),
  ];
}

/**
 * Checks that the credits counted against a token's monthly limit are the credits that its account paid. Each account
 * has one token.
 */
async function tokenProblems(db: Db): Promise<string[]> {
  const { rows } = await sql<{ accountId: number; paid: number; spent: number }>`
    select account_id, paid, coalesce(spent, 0) as spent
    from (select account_id, -sum(amount)::bigint as paid from ledger_entries
      where kind in ('charge', 'refund') group by account_id) as paid
    left join (select account_id, sum(token_spending.credits)::bigint as spent
      from token_spending join api_tokens using (token_id) group by account_id) as spent using (account_id)
    where paid <> coalesce(spent, 0)`.execute(db);
  return rows.map((row) => `account ${row.accountId} paid ${row.paid}, and its token spent ${row.spent}`);
}

async function runProblems(db: Db): Promise<string[]> {
  const runs = await db
    .selectFrom('monitorRuns')
    .select(['runId', 'status', 'subjects', 'checked', 'failed'])
    .execute();
  const wrong = runs.filter(
    ({ status, subjects, checked, failed }) => status === 'skipped' || checked + failed !== subjects,
  );
  return some(wrong, (run) => `a monitor's run is wrong: ${JSON.stringify(run)}`);
}

/** Checks that every input of every chunk has exactly one item. */
async function settlementProblems(db: Db): Promise<string[]> {
  const { rows } = await sql<{ requestId: number; inputs: number; items: number }>`
    with inputs as (select account_id, (input ->> 'request_id')::bigint as request_id
      from chunks, json_array_elements(inputs) as input)
    select request_id, count(inputs.account_id) as inputs, count(items.account_id) as items
    from inputs full join items using (account_id, request_id)
    group by account_id, request_id
    having count(inputs.account_id) <> 1 or count(items.account_id) <> 1`.execute(db);
  return some(rows, (row) => `check ${row.requestId} is in ${row.inputs} chunks and ${row.items} items`);
}

/** Checks that all records promised to customers are complete and final, and that no others exist. */
async function batchProblems(db: Db, customers: Customer[]): Promise<string[]> {
  const rows = await db.selectFrom('batches').select(['accountId', 'batchId']).execute();
  const promised = new Set(customers.flatMap(({ batches }) => batches.map(({ batchId }) => batchId)));
  const unknown = rows.filter(({ batchId }) => !promised.has(batchId));
  const problems = some(unknown, ({ batchId }) => `batch ${batchId} was charged and never promised`);
  for (const { accountId, batches: submitted } of customers) {
    for (const { name, batchId, total } of submitted) {
      const batch = await batches.find(db, { accountId, batchId });
      if (!batch) problems.push(`${name} was promised and is not there`);
      else if (batch.total !== total) problems.push(`${name} has ${batch.total} of ${total} items`);
      else if (batch.status !== finalStatus(batch)) problems.push(`${name} ended as ${batch.status}`);
    }
  }
  return problems;
}

function finalStatus({ total, successful, failed }: batches.BatchRow): string {
  if (successful + failed < total) return 'no end';
  return successful === total ? 'completed' : failed === total ? 'failed' : 'partial';
}

/** Checks that every answered single check is recorded once, and no other. */
async function singleProblems(db: Db, customers: Customer[]): Promise<string[]> {
  const problems: string[] = [];
  for (const { accountId, singles } of customers) {
    const rows = await db
      .selectFrom('items')
      .select('requestId')
      .where('accountId', '=', accountId)
      .where('batchId', 'is', null)
      .where('state', '=', 'success')
      .execute();
    const got = new Set(singles);
    const recorded = new Set(rows.map(({ requestId }) => requestId));
    problems.push(
      ...some(
        [...got].filter((id) => !recorded.has(id)),
        (id) => `the answer to check ${id} is not on record`,
      ),
      ...some(
        [...recorded].filter((id) => !got.has(id)),
        (id) => `check ${id} was charged and answered to nobody`,
      ),
    );
  }
  return problems;
}

async function deliveryProblems(
  db: Db,
  customers: Customer[],
  received: Map<string, Received>,
): Promise<string[]> {
  const rows = await db.selectFrom('deliveries').select(['eventId', 'state']).execute();
  const states = new Map(rows.map(({ eventId, state }) => [eventId, state]));
  const problems: string[] = [];
  for (const { name, batchId, receiver } of customers.flatMap((customer) => customer.batches)) {
    const ids = [...(received.get(name)?.ids ?? [])];
    const expected = receiver === null ? [] : [`msg_${batchId}`];
    if (ids.join() !== expected.join()) problems.push(`${name}: the receiver saw ${ids.join() || 'nothing'}`);
    const end = receiver === null ? undefined : receiver === 'unwilling' ? 'failed' : 'delivered';
    if (states.get(batchId) !== end) problems.push(`${name}: its delivery is ${states.get(batchId)}`);
  }
  return problems;
}

async function jobProblems(db: Db): Promise<string[]> {
  const open = (await countWork(db)).filter(({ state }) => state !== 'completed');
  return open.map(({ queue, state, jobs }) => `${jobs} jobs of ${queue} are left as ${state}`);
}

async function countItems(db: Db) {
  const rows = await db.selectFrom('items').select(['type', 'state', 'input', 'outcome', 'error']).execute();
  const failed: Partial<Record<ItemError, number>> = {};
  const problems: string[] = [];
  for (const { type, input, outcome, error } of rows) {
    if (error) failed[error as ItemError] = (failed[error as ItemError] ?? 0) + 1;
    const wrong = outcome ? wrongIn(type as CheckType, input, outcome) : null;
    if (wrong) problems.push(wrong);
    if (error && !fairFailures.has(error as ItemError)) problems.push(`${JSON.stringify(input)}: ${error}`);
  }
  const answers = rows.flatMap(({ outcome }) => (outcome ? [outcome] : []));
  const answered = answers.length;
  const overviews = answers.filter((answer) => getAnswerPrice(answer) > 1).length;
  return {
    problems: some(problems, (problem) => problem),
    items: rows.length,
    rankChecks: rows.filter(({ type }) => type === 'keyword').length,
    answered,
    overviews,
    failed,
  };
}

/** Formats the first few, and the number of the others. */
function some<T>(list: T[], describe: (entry: T) => string): string[] {
  const named = list.slice(0, namedMax).map(describe);
  return list.length > namedMax ? [...named, `… and ${list.length - namedMax} more`] : named;
}
