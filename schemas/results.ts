import Type from 'typebox';
import { Batch } from './batch.ts';
import { type CheckType, checkTypeNames, getCheckType } from './check-types.ts';
import {
  CreditsRemaining,
  InterfaceSchema,
  Nullable,
  ObjectSchema,
  RequestId,
  StringEnum,
  Timestamp,
  Warnings,
} from './common.ts';
import { itemErrors } from './failures.ts';
import { ListSchema } from './list.ts';

const answered = {
  request_id: RequestId,
  state: Type.Literal('success'),
  credits: Type.Integer({
    minimum: 0,
    maximum: 2,
    description: '1, or 2 with an AI Overview; 0 for a test token',
  }),
  checked_at: Timestamp,
};

const unanswered = {
  request_id: RequestId,
  state: Type.Literal('failed'),
  credits: Type.Literal(0),
  checked_at: Timestamp,
  error: StringEnum(itemErrors, { description: 'Why there is no answer. The credit is refunded' }),
  message: Type.String({ description: 'The error as text for people' }),
};

const single = {
  success: Type.Literal(true),
  request_id: RequestId,
  checked_at: Timestamp,
  credits_remaining: CreditsRemaining,
  warnings: Type.Optional(Warnings),
};

const count = Type.Integer({ minimum: 0 });

/** Counters in every summary. The batch's `failed` also counts other failures. */
const unansweredCounts = {
  canceled: Type.Integer({
    minimum: 0,
    description: 'Items that were canceled before they were checked, refunded',
  }),
  skipped: Type.Integer({ minimum: 0, description: 'Invalid entries, never charged' }),
};

/** Creates the schemas of a check type: its single answer, its items and its summary. */
const createSchemas = (type: CheckType) => {
  const { schemaName: name, urlPath, input, asked, answer, summary } = getCheckType(type);
  const failedName = urlPath === null ? name : 'Url';
  const answeredItem = InterfaceSchema(`${name}Item`, [input, answer], answered);
  const failedItem = InterfaceSchema(`Failed${failedName}Item`, [asked], unanswered);
  const words = Object.fromEntries(summary.map((word) => [word, count]));
  const Summary = ObjectSchema(`${name}Summary`, { ...words, ...unansweredCounts });
  const Result = InterfaceSchema(`${name}Result`, [input, answer], single);
  return { name, failedName, answeredItem, failedItem, Summary, Result };
};

export const resultSchemas = Object.fromEntries(
  checkTypeNames.map((type) => [type, createSchemas(type)]),
) as Record<CheckType, ReturnType<typeof createSchemas>>;

/** GET /batch/{batch_id}. Each type has its own `summary` and `results`. */
export const BatchResponse = Type.Union(checkTypeNames.map(createBatchSchema), { $id: 'BatchResponse' });

export const BatchList = ListSchema(Batch, 'BatchList');

const earlier = {
  success: Type.Literal(true),
  type: StringEnum(checkTypeNames),
  batch_id: Nullable(Type.String({ format: 'uuid' }), 'Null for a single check'),
  warnings: Type.Optional(Warnings),
};

export const EarlierCheck = Type.Union(
  [
    ...checkTypeNames.map((type) => {
      const { name, answeredItem } = resultSchemas[type];
      return InterfaceSchema(`Earlier${name}Check`, [answeredItem], earlier);
    }),
    ...distinctFailures().map(({ failedName, failedItem }) =>
      InterfaceSchema(`EarlierFailed${failedName}Check`, [failedItem], earlier),
    ),
  ],
  { $id: 'EarlierCheck' },
);

/** Types may share the schema of failed items. */
function distinctFailures() {
  return [...new Map(Object.values(resultSchemas).map((each) => [each.failedName, each])).values()];
}

function createBatchSchema(type: CheckType) {
  const { name, answeredItem, failedItem, Summary } = resultSchemas[type];
  const results = Type.Array(Type.Union([answeredItem, failedItem]), {
    description: 'In the order of submission',
  });
  return InterfaceSchema(`${name}Batch`, [Batch], {
    success: Type.Literal(true),
    type: Type.Literal(type),
    summary: Summary,
    results: Type.Optional(
      Nullable(
        results,
        'While the batch runs, present only with `results=partial`. Missing with `results=none`. Null if no longer stored',
      ),
    ),
    warnings: Type.Optional(Warnings),
  });
}
