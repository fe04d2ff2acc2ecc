import type { Trx } from './connect.ts';
import type { MonitorRef } from './monitors.ts';

/** From now on a monitor's history is gone through for what is old. */
export async function begin(trx: Trx, { accountId, monitorId }: MonitorRef): Promise<void> {
  await trx
    .insertInto('historyPasses')
    .values({ accountId, monitorId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
