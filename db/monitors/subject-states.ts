import { sql } from 'kysely';
import type { InputOf } from '../../schemas/check-types.ts';
import type { LeftReason } from '../../schemas/monitor-words.ts';
import type { Db } from '../postgres/connect.ts';
import { countUpTo } from '../postgres/keyset.ts';
import { containing } from '../postgres/like.ts';
import type { MonitorRef } from './monitors.ts';

/** What a monitor checks, and what was best of it. Its points are read apart. */
export interface SubjectRow {
  subjectId: number;
  /** Its place in the list; kept when it leaves. */
  position: number;
  input: InputOf;
  joinedAt: Date;
  /** Null while it is checked. */
  leftAt: Date | null;
  /** Null exactly when `leftAt` is. */
  leftReason: LeftReason | null;
  /** The best rank it ever had, and since when; null before it has one, and of addresses. */
  best: number | null;
  bestAt: Date | null;
}

/** Which subjects are meant: those of which all that is said is true. */
export interface SubjectFilter {
  subjectId?: number;
  /** Queries with this tag. */
  tag?: string;
  /** Queries asked for this device. */
  device?: string;
  /** Queries asked in this country. */
  country?: string;
  /** Found anywhere in the keyword or address, in any case. */
  search?: string;
}

interface SubjectWindow {
  limit: number;
  offset?: number;
  after?: { position: number; subjectId: number };
}

/** A monitor's subjects in the order of its list, those that have left among them. */
export async function list(
  db: Db,
  ref: MonitorRef,
  { limit, offset = 0, after, ...filter }: SubjectFilter & SubjectWindow,
): Promise<SubjectRow[]> {
  const rows = await filtered(db, ref, filter)
    .select(['subjects.subjectId', 'position', 'input', 'joinedAt', 'leftAt', 'leftReason', 'best', 'bestAt'])
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(position, subjects.subject_id) > (${after?.position}, ${after?.subjectId})`),
    )
    .limit(limit)
    .offset(offset)
    .execute();
  return rows;
}

/** How many there are, counted up to `max`. */
export function count(db: Db, ref: MonitorRef, filter: SubjectFilter, max: number): Promise<number> {
  return countUpTo(db, filtered(db, ref, filter), max);
}

function filtered(
  db: Db,
  { accountId, monitorId }: MonitorRef,
  { subjectId, search, ...asked }: SubjectFilter,
) {
  let query = db
    .selectFrom('subjects')
    .leftJoin('baselines', (join) =>
      join
        .onRef('baselines.accountId', '=', 'subjects.accountId')
        .onRef('baselines.monitorId', '=', 'subjects.monitorId')
        .onRef('baselines.subjectId', '=', 'subjects.subjectId'),
    )
    .where('subjects.accountId', '=', accountId)
    .where('subjects.monitorId', '=', monitorId)
    .orderBy('position')
    .orderBy('subjects.subjectId');
  if (subjectId !== undefined) query = query.where('subjects.subjectId', '=', subjectId);
  if (search !== undefined) {
    const text = sql`coalesce(subjects.input->>'keyword', subjects.input->>'url')`;
    query = query.where(sql<boolean>`${text} ilike ${containing(search)}`);
  }
  for (const [field, value] of Object.entries(asked))
    if (value !== undefined) query = query.where(sql<boolean>`subjects.input->>${field} = ${value}`);
  return query;
}
