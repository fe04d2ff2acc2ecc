import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { fingerprintOf } from '../db/subjects.ts';
import { nextDue } from '../monitors/due-times.ts';
import { type Schedule, weekdays } from '../schemas/monitor-words.ts';

const zones = Intl.supportedValuesOf('timeZone');
const perStatement = 5_000;

/** Where a monitor that the bench made stands. */
export interface Made {
  accountId: number;
  monitorId: string;
}

/**
 * Monitors of all kinds of schedules in all zones that Node knows, dealt to the accounts in turn, each due at its next
 * time. Answers them with the milliseconds that finding a due time took.
 */
export async function fillMonitors(
  db: Db,
  accountIds: number[],
  count: number,
): Promise<{ monitors: Made[]; dueTimeMs: number }> {
  const monitors: Made[] = [];
  const now = new Date();
  let spentMs = 0;
  for (let first = 0; first < count; first += perStatement) {
    const startedMs = performance.now();
    const rows = Array.from({ length: Math.min(perStatement, count - first) }, (_, place) => {
      const nth = first + place;
      const made = { accountId: accountIds[nth % accountIds.length] ?? 0, monitorId: randomUUID() };
      monitors.push(made);
      const schedule = scheduleOf(nth);
      // Nothing is due before the bench says so, however long it takes.
      const dueAt = nextDue(schedule, made.monitorId, new Date(now.getTime() + 3_600_000));
      return { account_id: made.accountId, monitor_id: made.monitorId, schedule, next_run_at: dueAt };
    });
    spentMs += performance.now() - startedMs;
    await sql`
      insert into monitors (account_id, monitor_id, name, type, schedule, notify, rank_threshold, confirm_losses,
        subjects_max, subjects, next_run_at)
      select account_id, monitor_id, 'Shop', 'http', schedule,
        '{"when": "changed", "webhook_url": null, "email": false}', 3, true, 10000, 10, next_run_at
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as row (account_id bigint, monitor_id uuid, schedule jsonb, next_run_at timestamptz)`.execute(db);
  }
  return { monitors, dueTimeMs: spentMs / count };
}

/** What some of them check: so many addresses each. */
export async function fillSubjects(db: Db, monitors: Made[], each: number): Promise<void> {
  const inputs = Array.from({ length: each }, (_, nth) => ({ url: `https://shop.example/articles/${nth}` }));
  const prints = inputs.map(fingerprintOf);
  const texts = inputs.map((input) => JSON.stringify(input));
  for (let first = 0; first < monitors.length; first += perStatement) {
    const some = monitors.slice(first, first + perStatement);
    await sql`
      insert into subjects (account_id, monitor_id, fingerprint, input, position)
      select account_id, monitor_id, fingerprint, input::json, position - 1
      from unnest(${some.map(({ accountId }) => accountId)}::bigint[],
          ${some.map(({ monitorId }) => monitorId)}::uuid[]) as one (account_id, monitor_id)
        cross join unnest(${prints}::bytea[], ${texts}::text[]) with ordinality as given (fingerprint, input, position)
      `.execute(db);
  }
}

/** Every one of them falls due in this minute. */
export async function letFallDue(db: Db, monitors: Made[]): Promise<void> {
  await sql`
    update monitors set next_run_at = now()
    from unnest(${monitors.map(({ accountId }) => accountId)}::bigint[],
      ${monitors.map(({ monitorId }) => monitorId)}::uuid[]) as one (account_id, monitor_id)
    where monitors.account_id = one.account_id and monitors.monitor_id = one.monitor_id`.execute(db);
}

function scheduleOf(nth: number): Schedule {
  const every = (['day', 'day', 'day', 'hour', 'week', 'month'] as const)[nth % 6] ?? 'day';
  const timezone = zones[nth % zones.length] ?? 'UTC';
  const on =
    every === 'week' ? [weekdays[nth % 7] ?? 'mon'] : every === 'month' ? [(nth % 28) + 1, -1] : null;
  return { every, at: null, on, timezone };
}
