import { lockRights, type RightsOf } from '../accounts/rights.ts';
import { type Db, inTransaction, type Trx } from './connect.ts';

/** Something that is done whole or not at all, in a transaction that whoever asks for it opens. */
export interface Act<T> {
  /** What comes before one is open and is not undone with it: ids, what the allowance takes. */
  before?: () => Promise<void>;
  /**
   * What travels with the begin, where who opens it lets it; it asks for all of that before it first waits. `perform`
   * asks by itself where nobody has.
   */
  beside?: (trx: Trx) => Promise<unknown>;
  /** Whose rights it takes away: they are locked before anything is asked for. */
  takesFrom?: readonly RightsOf[];
  perform: (trx: Trx) => Promise<T>;
}

/** Does an act in a transaction of its own, for those who have nothing to add to it. */
export async function perform<T>(db: Db, act: Act<T>): Promise<T> {
  await act.before?.();
  return inTransaction(db, async (trx) => {
    await lockRights(trx, ...(act.takesFrom ?? []));
    return act.perform(trx);
  });
}
