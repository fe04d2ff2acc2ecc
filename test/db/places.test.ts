import { expect } from 'chai';
import { placeOf, type TablePlace } from '../../db/places.ts';

describe('the place of a statement', () => {
  const cases: Array<[string, TablePlace]> = [
    ['select "credits" from "accounts" where "account_id" = $1', 'by account'],
    ['update "batches" set "completed_at" = now() where "account_id" = $1', 'by account'],
    ['with old as materialized (select 1 from items where account_id = $1) delete from items', 'by account'],
    ['insert into turns select account_id from accounts where account_id = $1', 'by account'],
    ['select record_outcomes($1::bigint, $2::uuid) as done', 'by account'],
    ['select balance from move_credits($1::bigint, $2::text)', 'by account'],
    ['select "token_id" from "api_tokens" where "token_hash" = $1', 'local'],
    ['INSERT INTO rate_limits VALUES ($1, $2, $3)', 'local'],
    ['insert into pgboss.job (id, name) select $1, $2', 'local'],
    // Its number is counted at one node alone, as is that of a change.
    ['insert into "accounts" ("webhook_secret") values ($1) returning "account_id"', 'local'],
    ['select nextval($1::regclass) as id from generate_series(1, $2::integer)', 'local'],
    ['create table items_p2 partition of items for values from (1) to (2)', 'local'],
    ['lock table items in access exclusive mode', 'local'],
    ['select pg_advisory_xact_lock($1)', 'local'],
    ['select now()', 'local'],
  ];
  for (const [statement, place] of cases) {
    it(`is ${place}: ${statement}`, () => expect(placeOf(statement)).to.equal(place));
  }
});
