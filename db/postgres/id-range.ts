/**
 * Items and chunks are partitioned by ranges of their request ids. A statement that names the range of its rows reads
 * their partition only.
 */
import { type RawBuilder, sql } from 'kysely';
import type { BatchSpan } from '../batches/batches.ts';

/** Ids from the first to before the second. */
export interface IdRange {
  from: number;
  to: number;
}

/** Returns the range of a batch's request ids. */
export function rangeOf({ firstRequestId, total }: Pick<BatchSpan, 'firstRequestId' | 'total'>): IdRange {
  return { from: firstRequestId, to: firstRequestId + total };
}

/** The same in SQL, of a row of `batches` under a name of its own: that a column is in the batch's range. */
export function isInRangeOf(batch: string, column: string): RawBuilder<boolean> {
  const [first, total, id] = [`${batch}.first_request_id`, `${batch}.total`, column].map((name) =>
    sql.ref(name),
  );
  return sql<boolean>`${id} >= ${first} and ${id} < ${first} + ${total}`;
}
