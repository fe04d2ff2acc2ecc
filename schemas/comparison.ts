import Type from 'typebox';
import { checkTypeNames } from './check-types.ts';
import { resultSchemas } from './results.ts';
import { BatchId, Nullable, Warnings, Word } from './text.ts';

/**
 * What became of an input since an earlier batch: good news then and bad news now, the other way round, other
 * news of the same kind, only asked now, only asked then, without an answer on one side, or the same.
 */
export const changes = ['broken', 'fixed', 'changed', 'added', 'gone', 'unknown', 'same'] as const;
export type Change = (typeof changes)[number];

const answered = checkTypeNames.map((type) => resultSchemas[type].answeredItem);
// Types that fail alike share the shape of their failures.
const failed = new Map(Object.values(resultSchemas).map((each) => [each.failedName, each.failedItem]));
const Side = Nullable(Type.Union([...answered, ...failed.values()]), 'Null where it was not asked');
const count = Type.Integer({ minimum: 0 });

/** GET /batch/{batch_id}/comparison. */
export const Comparison = Type.Object(
  {
    success: Type.Literal(true),
    batch_id: BatchId,
    compared_with: BatchId,
    counts: Type.Object(Object.fromEntries(changes.map((change) => [change, count]))),
    change: Word(changes, { description: 'What became of those in `data`' }),
    data: Type.Array(Type.Object({ now: Side, before: Side })),
    current_page: Type.Integer({ minimum: 1 }),
    per_page: Type.Integer({ minimum: 1, maximum: 100 }),
    total: count,
    last_page: Type.Integer({ minimum: 1 }),
    warnings: Type.Optional(Warnings),
  },
  { $id: 'Comparison' },
);
