import { setTimeout as sleep } from 'node:timers/promises';
import type { Member } from './crew.ts';
import type { DatabaseFault } from './plan.ts';
import { hasBatchEnded, type Stage, until } from './stage.ts';

const recoveryMaxMs = 90_000;

/** Puts the database through one fault after the other; web and worker must survive without a restart. */
export async function sufferOutages(stage: Stage, members: Member[]): Promise<void> {
  for (const fault of stage.plan.databaseFaults) {
    stage.journal.say(`database ${fault.kind}${'forMs' in fault ? ` for ${fault.forMs / 1000} s` : ''}`);
    await inflict(stage, fault);
    await recover(stage, fault.kind);
    const lost = members.filter(({ hasEnded }) => hasEnded).map(({ name }) => name);
    if (lost.length > 0)
      stage.journal.complain(`${lost.join(', ')} ended when the database was ${fault.kind}`);
  }
}

async function inflict({ database, over }: Stage, fault: DatabaseFault): Promise<void> {
  const last = (forMs: number) => sleep(forMs, undefined, { signal: over });
  switch (fault.kind) {
    case 'connections cut':
      await database.cutConnections();
      return;
    case 'stopped immediately':
      await database.stopImmediately();
      await last(fault.forMs).finally(() => database.startAgain());
      return;
    case 'a data node stopped immediately':
      await database.stopImmediately(fault.node);
      await last(fault.forMs).finally(() => database.startAgain(fault.node));
      return;
    case 'unreachable':
      database.gate.stall();
      await last(fault.forMs).finally(() => database.gate.resume());
      return;
    case 'half-open':
      database.gate.losePeers();
      return;
    case 'connection limit reached':
      await database.limitConnections(1);
      await database.cutConnections();
      await last(fault.forMs).finally(() => database.limitConnections(null));
      return;
    case 'read-only':
      await database.setReadOnly(true);
      await database.cutConnections();
      // Sessions that began meanwhile stay read-only, as on a primary that became a standby.
      await last(fault.forMs).finally(() => database.setReadOnly(false));
  }
}

/** Waits until new work is accepted and done, and every worker listens for jobs again. */
async function recover(stage: Stage, fault: string): Promise<void> {
  const { database, prober, crew, journal, world, scale } = stage;
  const startedMs = performance.now();
  const elapsed = () => performance.now() - startedMs;
  if (!scale.isHasty) world.witness.forget();
  const work = async () => {
    const { batchId } = await prober.submit(stage.nextBatch(), { type: 'http', receiver: null });
    await until(stage, () => hasBatchEnded(stage, batchId), {
      timeoutMs: recoveryMaxMs,
      what: `after: ${fault}`,
    });
    return elapsed();
  };
  const hearing = async () => {
    const areAllListening = async () => (await database.countListeners()) >= crew.workers().length;
    await until(stage, areAllListening, { timeoutMs: recoveryMaxMs, what: `LISTEN is back after: ${fault}` });
    return elapsed();
  };
  const measured = orComplaint(journal);
  const [backAfterMs, listeningAfterMs] = await Promise.all([measured(work()), measured(hearing())]);
  journal.recovered({ fault, backAfterMs, listeningAfterMs });
}

function orComplaint(journal: Stage['journal']): (elapsed: Promise<number>) => Promise<number> {
  return (elapsed) =>
    elapsed.catch((error: Error) => {
      journal.complain(error.message);
      return Number.NaN;
    });
}
