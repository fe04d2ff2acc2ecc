import { sql } from 'kysely';
import { borrowRecords, type Records } from './records.ts';
import { openRunDesk, type RunDesk } from './run-desk.ts';

/** A desk with a database of its own for the tests of a suite; what monitors one has made are gone for the next. */
export function deskOfSuite(): { readonly records: Records; readonly desk: RunDesk } {
  const held = {} as { records: Records; desk: RunDesk };
  before(async () => {
    held.records = await borrowRecords();
    held.desk = await openRunDesk(held.records);
  });
  afterEach(() => sql`update monitors set deleted_at = now(), next_run_at = null`.execute(held.records.db));
  after(async () => {
    await held.desk.close();
    await held.records.giveBack();
  });
  return held;
}
