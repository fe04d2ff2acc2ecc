import { expect } from 'chai';
import { faultsOf } from '../support/statement-rules.ts';

// All other tests check the actual statements of the service (support/statements.ts).
describe('the rules of statements on a cluster', () => {
  const broken: Array<[statement: string, what: RegExp]> = [
    ['select email from accounts join users using (account_id)', /joins a local table/],
    ['select 1 from chunks left join pgboss.job on job.id = chunks.job_id', /joins a local table/],
    [
      'insert into allowances (account_id, weight) select $1, max(points) from rate_limits',
      /joins a local table/,
    ],
    ['select key from idempotency_keys where created_at < now() for update skip locked', /locks rows/],
    [
      `select (select event from events where events.account_id = deliveries.account_id) from deliveries
        where account_id = $1 for no key update`,
      /beside a subquery/,
    ],
    [
      'delete from history where (account_id, request_id) in (select account_id, 1 from history)',
      /changes rows/,
    ],
    ['update "accounts" set "credits" = 0', /changes rows/],
    ['update "monitors" set "name" = $1, "account_id" = $2 where "account_id" = $2', /sets the account/],
    [
      'insert into allowances (account_id) values ($1) on conflict (account_id) do update set changed_at = now()',
      /DO UPDATE/,
    ],
    [
      `insert into items (account_id) values ($1) on conflict (account_id) do update set position = 1
        where items.checked_at > clock_timestamp() returning request_id`,
      /DO UPDATE/,
    ],
    [
      'insert into "monitor_runs" (account_id) values ($1) returning run_id, array_to_json(confirm_subjects) as "seen"',
      /RETURNING/,
    ],
    [
      'with moved as (update subjects set left_at = $2 where account_id = $1 returning joined_at = now()) select 1',
      /RETURNING/,
    ],
    ['delete from events where account_id = $1 returning created_at + interval $2', /RETURNING/],
    ['update monitors set next_run_at = next_run_at - interval $2 where account_id = $1', /of a column/],
    [
      `update monitors set name = 'x' where account_id = $1 and date_trunc('day', created_at) < $2`,
      /of a column/,
    ],
    ['update accounts set disabled_at = coalesce(disabled_at, now()) where account_id = $1', /now\(\)/],
  ];
  for (const [statement, what] of broken) {
    it(`reject ${statement.slice(0, 80).replace(/\s+/g, ' ')}`, () => {
      expect(faultsOf(statement).join()).to.match(what);
    });
  }

  const sound = [
    'select credits from accounts where account_id = $1 for no key update',
    `select (select event from events where events.account_id = $1) from deliveries where account_id = $2
      for no key update`,
    'select 1 from users join sessions using (user_id) for update',
    `insert into allowances (account_id, weight) values ($1, $2) on conflict (account_id)
      do update set weight = greatest(allowances.weight, excluded.weight) returning weight`,
    'insert into chores (chore) values ($1) on conflict (chore) do update set done_at = now()',
    `with open as materialized (select job_id from chunks where settled < size)
      select 1 from open left join pgboss.job on job.id = open.job_id`,
    `update subjects set left_at = now() - $2 * interval '1 day' where account_id = $1 returning lower(left_reason)`,
    `insert into subjects (account_id, input) select account_id, $2 from accounts where account_id = $1
      returning joined_at = now() as has_joined`,
    `update points set last_at = moved.last_at from json_to_recordset($1::json) as moved (last_at timestamptz)
      where points.account_id = $2 and points.first_at = moved.first_at`,
    'insert into sessions (hash) values ($1) returning now()',
    'update accounts set disabled_at = now() where account_id = $1 and disabled_at is null',
  ];
  for (const statement of sound) {
    it(`accept ${statement.slice(0, 80).replace(/\s+/g, ' ')}`, () => {
      expect(faultsOf(statement)).to.deep.equal([]);
    });
  }
});
