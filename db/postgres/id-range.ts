/**
 * Items and chunks are partitioned by ranges of their request ids. A statement that names the range of its rows reads
 * only the partition of these rows.
 */
import { type RawBuilder, sql } from 'kysely';
import type { BatchSpan } from '../batches/batches.ts';

export interface IdRange {
  /** Inclusive. */
  from: number;
  /** Exclusive. */
  to: number;
}

/** Returns the range of a batch's request ids. */
export function rangeOf({ firstRequestId, total }: Pick<BatchSpan, 'firstRequestId' | 'total'>): IdRange {
  return { from: firstRequestId, to: firstRequestId + total };
}

/** Matches rows whose column is in the range of a batch. `batch` is a table or alias. */
export function isInBatchRange(batch: string, column: string): RawBuilder<boolean> {
  const [first, total, id] = [`${batch}.first_request_id`, `${batch}.total`, column].map((name) =>
    sql.ref(name),
  );
  return sql<boolean>`${id} >= ${first} and ${id} < ${first} + ${total}`;
}
