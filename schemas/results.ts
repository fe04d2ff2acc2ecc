import Type from 'typebox';
import { Batch } from './batch.ts';
import { type CheckType, checkTypeEntry, checkTypeNames } from './check-types.ts';
import { itemErrors } from './failures.ts';
import { ListOf } from './list.ts';
import { CreditsRemaining, Nullable, RequestId, Timestamp, Warnings, Word } from './text.ts';

const answered = {
  request_id: RequestId,
  state: Type.Literal('success'),
  credits: Type.Integer({ minimum: 0, maximum: 1, description: '1; 0 for a test token' }),
  checked_at: Timestamp,
};

const unanswered = {
  request_id: RequestId,
  state: Type.Literal('failed'),
  credits: Type.Literal(0),
  checked_at: Timestamp,
  error: Word(itemErrors, { description: 'Why there is no answer; the credit is back' }),
  message: Type.String({ description: 'The same for people' }),
};

const single = {
  success: Type.Literal(true),
  request_id: RequestId,
  checked_at: Timestamp,
  credits_remaining: CreditsRemaining,
  warnings: Type.Optional(Warnings),
};

const count = Type.Integer({ minimum: 0 });

/** In every summary; what else failed is `failed` less these two. */
const unansweredCounts = {
  canceled: Type.Integer({ minimum: 0, description: 'Canceled before they were checked, and refunded' }),
  skipped: Type.Integer({ minimum: 0, description: 'Entries that did not fit, never charged' }),
};

/** What the document has for each type of check: its single answer, its items and its summary. */
const documentsOf = (type: CheckType) => {
  const { schemaName: name, urlPath, input, asked, answer, summary } = checkTypeEntry(type);
  const failedName = urlPath === null ? name : 'Url';
  const answeredItem = Type.Interface([input, answer], answered, { $id: `${name}Item` });
  const failedItem = Type.Interface([asked], unanswered, { $id: `Failed${failedName}Item` });
  const words = Object.fromEntries(summary.map((word) => [word, count]));
  const Summary = Type.Object({ ...words, ...unansweredCounts }, { $id: `${name}Summary` });
  const Result = Type.Interface([input, answer], single, { $id: `${name}Result` });
  return { name, failedName, answeredItem, failedItem, Summary, Result };
};

/** By type: the words of `summary`, and what `results` are made of. */
export const resultSchemas = Object.fromEntries(
  checkTypeNames.map((type) => [type, documentsOf(type)]),
) as Record<CheckType, ReturnType<typeof documentsOf>>;

/**
 * GET /batch/{batch_id} (docs/interface.md): each type with its own words in `summary` and its own `results`.
 */
export const BatchAnswer = Type.Union(checkTypeNames.map(batchOf), { $id: 'BatchAnswer' });

/** GET /batches. */
export const BatchList = ListOf(Batch, 'BatchList');

const earlier = {
  success: Type.Literal(true),
  type: Word(checkTypeNames),
  batch_id: Nullable(Type.String({ format: 'uuid' }), 'Null for a single check'),
  warnings: Type.Optional(Warnings),
};

/** GET /checks/{request_id}: an earlier answer, single or of a batch; `batch_id` is null for a single one. */
export const EarlierCheck = Type.Union(
  [
    ...checkTypeNames.map((type) => {
      const { name, answeredItem } = resultSchemas[type];
      return Type.Interface([answeredItem], earlier, { $id: `Earlier${name}Check` });
    }),
    ...failedItems().map(({ failedName, failedItem }) =>
      Type.Interface([failedItem], earlier, { $id: `EarlierFailed${failedName}Check` }),
    ),
  ],
  { $id: 'EarlierCheck' },
);

/** Types that fail alike share the shape of their failures. */
function failedItems() {
  return [...new Map(Object.values(resultSchemas).map((each) => [each.failedName, each])).values()];
}

function batchOf(type: CheckType) {
  const { name, answeredItem, failedItem, Summary } = resultSchemas[type];
  const results = Type.Array(Type.Union([answeredItem, failedItem]), {
    description: 'In the order of submission',
  });
  return Type.Interface(
    [Batch],
    {
      success: Type.Literal(true),
      type: Type.Literal(type),
      summary: Summary,
      results: Type.Optional(
        Nullable(results, 'Not there while the batch runs or with `results=none`; null when no longer kept'),
      ),
      warnings: Type.Optional(Warnings),
    },
    { $id: `${name}Batch` },
  );
}
