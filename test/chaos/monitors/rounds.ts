import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Kind, Member } from '../crew.ts';
import type { Ground } from '../ground.ts';
import { until } from '../stage.ts';
import { moveTo, whoStarts } from './moved-clock.ts';
import { dueMinute, type Owner } from './owner.ts';
import type { Due } from './proof.ts';

export interface MonitorScale {
  owners: number;
  monitorsEach: number;
  /** Workers, and as many webs. */
  crewEach: number;
  /** Due times in which processes are killed. */
  deadlyRounds: number;
  /** At each of them so often two: one that starts runs, and a web process that is asked for some. */
  pairsPerRound: number;
  /** Of them, those in which Postgres is stopped, too. */
  stops: number;
  timeoutMs: number;
}

/** Everything a part of the run may use. */
export interface MonitorStage extends Ground {
  scale: MonitorScale;
  owners: Owner[];
  kills: Record<Kind, number>;
  caught: { starting: number };
  dues: Due[];
}

/** Half of the processes are so much ahead of the machine, and half as much behind: two clocks are an hour apart. */
const clockAheadMs = 30 * 60_000;
const hourMs = 3_600_000;
const dayHours = 24;
/** A process looks for what is due every 15 seconds, and the machine is busy. */
const startedWithinMs = 120_000;
const quietWithinMs = 180_000;

/** Every second one has its clock an hour behind the others'. */
export async function crewUp(stage: MonitorStage): Promise<void> {
  for (let nth = 0; nth < stage.scale.crewEach; nth++)
    await Promise.all([join(stage, 'worker'), join(stage, 'web')]);
}

const joined: Record<Kind, number> = { web: 0, worker: 0 };
async function join({ crew }: MonitorStage, kind: Kind): Promise<void> {
  joined[kind] += 1;
  await crew.start(kind, null, { clockAheadMs: joined[kind] % 2 ? clockAheadMs : -clockAheadMs });
}

/** The next due time comes; who starts its runs is killed in the middle of it, and a web with it, again and again. */
export async function deadlyRound(stage: MonitorStage, nth: number, isStopped: boolean): Promise<void> {
  const { database, journal } = stage;
  const due = await nextDueTime(stage);
  await moveTo(database, due);
  const killed: Member[] = [];
  for (let pair = 0; pair < stage.scale.pairsPerRound; pair++) killed.push(...(await killPair(stage, due)));
  if (isStopped) {
    await database.stopImmediately();
    await sleep(1000);
    await database.startAgain();
  }
  journal.say(
    `due time ${nth + 1}: ${killed.map(({ name }) => name).join(', ')} killed` +
      (isStopped ? ', Postgres stopped and started' : ''),
  );
  await Promise.all(killed.map(({ kind }) => join(stage, kind)));
  await expectAllStarted(stage, due);
  // Every third time all that runs ends before the next; else the next may find some at work.
  if (nth % 3 === 2) await expectRunsEnded(stage);
}

/** Who is starting runs, or any worker when all of them are started, and a web that is asked for some. */
async function killPair(stage: MonitorStage, due: Date): Promise<Member[]> {
  const { crew, random } = stage;
  const name = await seeStarting(stage, due);
  await sleep(random.integer(0, 150));
  const starting = [...crew.members].find((member) => member.name === name);
  const first = starting ?? random.pick(crew.workers());
  const second = random.pick(crew.webs().filter((member) => member !== first));
  if (starting) stage.caught.starting += 1;
  for (const member of [first, second]) {
    member.kill('SIGKILL');
    stage.kills[member.kind] += 1;
  }
  await Promise.all([first.ended, second.ended]);
  return [first, second];
}

/** Nobody is there for a day, and the database neither. */
export async function dayAway(stage: MonitorStage): Promise<void> {
  const { database, crew, journal } = stage;
  const due = await nextDueTime(stage);
  for (const member of [...crew.members]) {
    member.kill('SIGKILL');
    await member.ended;
  }
  await database.stopImmediately();
  await database.startAgain();
  await until(stage, () => moveTo(database, new Date(due.getTime() + dayHours * hourMs)).then(() => true), {
    timeoutMs: 30_000,
    what: 'the database is back',
  });
  journal.say('everything was away for a day');
  await crewUp(stage);
  await expectAllStarted(stage, due, { isLate: true, missed: dayHours });
}

export async function ordinaryRound(stage: MonitorStage): Promise<void> {
  await expectRunsEnded(stage);
  const due = await nextDueTime(stage);
  await moveTo(stage.database, due);
  await expectAllStarted(stage, due);
}

async function nextDueTime({ database }: MonitorStage): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock() as now`.execute(database.db);
  const hours = Math.floor(((rows[0]?.now.getTime() ?? 0) - dueMinute * 60_000) / hourMs);
  return new Date((hours + 1) * hourMs + dueMinute * 60_000);
}

/** Waits until somebody starts one of the runs, and answers who, if that was seen; null when none is left. */
async function seeStarting(stage: MonitorStage, due: Date): Promise<string | null> {
  const { db } = stage.database;
  const countStarted = async () =>
    (await sql`select from monitor_runs where due_at = ${due}`.execute(db)).rows.length;
  const before = await countStarted();
  let name: string | null = null;
  const isSeen = async () => {
    const started = await countStarted();
    if (started > before) name = await whoStarts(stage.database);
    return started > before || started === stage.owners.length * stage.scale.monitorsEach;
  };
  const what = `somebody starts what is due at ${due.toISOString()}`;
  await until(stage, isSeen, { timeoutMs: startedWithinMs, what });
  return name;
}

/** No monitor is left that is due; the due time is then held against the records at the end. */
async function expectAllStarted(
  stage: MonitorStage,
  at: Date,
  { isLate = false, missed = 0 } = {},
): Promise<void> {
  const { db } = stage.database;
  const isNoneDue = async () =>
    (await sql`select from monitors where next_run_at <= clock() limit 1`.execute(db)).rows.length === 0;
  await until(stage, isNoneDue, {
    timeoutMs: startedWithinMs,
    what: `all due at ${at.toISOString()} are started`,
  });
  stage.dues.push({ at, isLate, missed });
}

/** What was begun so far ends; runs by hand go on to be begun. */
async function expectRunsEnded(stage: MonitorStage): Promise<void> {
  const { db } = stage.database;
  const { rows: open } = await sql<{ runId: string }>`
    select run_id from monitor_runs where finished_at is null`.execute(db);
  const ids = open.map(({ runId }) => runId);
  const isSo = async () =>
    (
      await sql`select from monitor_runs where run_id = any(${ids}::uuid[]) and finished_at is null`.execute(
        db,
      )
    ).rows.length === 0;
  await until(stage, isSo, { timeoutMs: quietWithinMs, what: 'every run ends' });
}

/** Every run has ended, everything was told, no job is left. */
export async function expectQuiet(stage: MonitorStage): Promise<void> {
  await expectRunsEnded(stage);
  const { db } = stage.database;
  const isQuiet = async () => {
    await sql`update pgboss.job set start_after = now() where state < 'active' and start_after > now()`.execute(
      db,
    );
    const { rows } = await sql<{ open: number }>`
      select (select count(*) from deliveries where state = 'pending')
        + (select count(*) from pgboss.job where state < 'completed') as open`.execute(db);
    return Number(rows[0]?.open) === 0;
  };
  await until(stage, isQuiet, { timeoutMs: quietWithinMs, what: 'everything is told' });
}
