import Type from 'typebox';
import { checkTypeNames } from './check-types.ts';
import { BatchId, Nullable, ObjectSchema, StringEnum, Warnings } from './common.ts';
import { resultSchemas } from './results.ts';

/**
 * Changes of an input since an earlier batch. `same` is the same answer.
 * - `broken`: good then, bad now
 * - `fixed`: bad then, good now
 * - `changed`: another answer, equally good or bad
 * - `added`: only in the new batch
 * - `gone`: only in the earlier batch
 * - `unknown`: without an answer in one of the batches, or a rank that the search of the other batch did not reach
 */
export const changes = ['broken', 'fixed', 'changed', 'added', 'gone', 'unknown', 'same'] as const;
export type Change = (typeof changes)[number];

const answered = checkTypeNames.map((type) => resultSchemas[type].answeredItem);
// Types may share the schema of failed items.
const failed = new Map(Object.values(resultSchemas).map((each) => [each.failedName, each.failedItem]));
const Side = Nullable(
  Type.Union([...answered, ...failed.values()]),
  'Null if the input is not in this batch',
);
const count = Type.Integer({ minimum: 0 });

export const Comparison = ObjectSchema('Comparison', {
  success: Type.Literal(true),
  batch_id: BatchId,
  compared_with: BatchId,
  counts: Type.Object(Object.fromEntries(changes.map((change) => [change, count]))),
  change: StringEnum(changes, { description: 'Change of the inputs in `data`' }),
  data: Type.Array(Type.Object({ now: Side, before: Side })),
  current_page: Type.Integer({ minimum: 1 }),
  per_page: Type.Integer({ minimum: 1, maximum: 100 }),
  total: count,
  last_page: Type.Integer({ minimum: 1 }),
  warnings: Type.Optional(Warnings),
});
