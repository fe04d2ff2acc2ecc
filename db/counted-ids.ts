import { sql } from 'kysely';
import type { Trx } from './connect.ts';

/**
 * Ids that nobody else is given, in rising order. By a statement of its own, for which a cluster's coordinator is
 * asked: each data node counts for itself, in a range of its own, which neither keeps the order nor fits our doors.
 */
export async function nextIds(trx: Trx, sequence: CountedBy, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval(${sequence}::regclass) as id from generate_series(1, ${count}::integer)`.execute(trx);
  return rows.map(({ id }) => id);
}

/** The sequences of tables that are spread by account. */
export type CountedBy = 'changes_change_id_seq' | 'subject_ids' | 'annotations_annotation_id_seq';
