import Type from 'typebox';
import { Batch, batchTypes, itemErrors } from './batch.ts';
import { IndexAnswer } from './check.ts';
import { HttpStatusAnswer } from './http-status.ts';
import { AskedQuery, RankAnswer, RankQuery } from './keyword.ts';
import { ListOf } from './list.ts';
import { Nullable, RequestId, Timestamp, Word } from './text.ts';

const AskedUrl = Type.Object({ url: Type.String({ description: 'As it was sent' }) });

const answered = {
  request_id: RequestId,
  state: Type.Literal('success'),
  credits: Type.Literal(1),
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

/** One result of a batch: what was asked, with the fields of the single answer, or with `error` and `message` instead. */
export const IndexItem = Type.Interface([AskedUrl, IndexAnswer], answered, { $id: 'IndexItem' });
export const HttpStatusItem = Type.Interface([AskedUrl, HttpStatusAnswer], answered, {
  $id: 'HttpStatusItem',
});
export const RankItem = Type.Interface([RankQuery, RankAnswer], answered, { $id: 'RankItem' });
export const FailedUrlItem = Type.Interface([AskedUrl], unanswered, { $id: 'FailedUrlItem' });
export const FailedRankItem = Type.Interface([AskedQuery], unanswered, { $id: 'FailedRankItem' });

const count = Type.Integer({ minimum: 0 });

export const IndexSummary = Type.Object({ indexed: count, not_indexed: count }, { $id: 'IndexSummary' });

/** `status_…` by class of the last status, `status_other` from 600 on; the rest may overlap with those. */
export const HttpStatusSummary = Type.Object(
  {
    status_1xx: count,
    status_2xx: count,
    status_3xx: count,
    status_4xx: count,
    status_5xx: count,
    status_other: count,
    redirected: count,
    soft404: count,
    bot_wall: count,
    unreachable: count,
  },
  { $id: 'HttpStatusSummary' },
);

/** `top_10` counts `top_3` too, and so on. */
export const RankSummary = Type.Object(
  { ranked: count, not_ranked: count, top_3: count, top_10: count, top_20: count, top_100: count },
  { $id: 'RankSummary' },
);

/** GET /batch/{batch_id} (SPEC.md 2.5): each type with its own words in `summary` and its own `results`. */
export const IndexBatch = batchWith('IndexBatch', 'index', IndexSummary, [IndexItem, FailedUrlItem]);
export const HttpStatusBatch = batchWith('HttpStatusBatch', 'http', HttpStatusSummary, [
  HttpStatusItem,
  FailedUrlItem,
]);
export const RankBatch = batchWith('RankBatch', 'keyword', RankSummary, [RankItem, FailedRankItem]);
export const BatchAnswer = Type.Union([IndexBatch, HttpStatusBatch, RankBatch], { $id: 'BatchAnswer' });

/** GET /batches (SPEC.md 4.7). */
export const BatchList = ListOf(Batch, 'BatchList');

/** GET /checks/{request_id}: an earlier answer, single or of a batch; `batch_id` is null for a single one. */
const earlier = {
  success: Type.Literal(true),
  type: Word(batchTypes),
  batch_id: Nullable(Type.String({ format: 'uuid' }), 'Null for a single check'),
};
export const EarlierCheck = Type.Union(
  [
    Type.Interface([IndexItem], earlier, { $id: 'EarlierIndexCheck' }),
    Type.Interface([HttpStatusItem], earlier, { $id: 'EarlierHttpStatusCheck' }),
    Type.Interface([RankItem], earlier, { $id: 'EarlierRankCheck' }),
    Type.Interface([FailedUrlItem], earlier, { $id: 'EarlierFailedUrlCheck' }),
    Type.Interface([FailedRankItem], earlier, { $id: 'EarlierFailedRankCheck' }),
  ],
  { $id: 'EarlierCheck' },
);

function batchWith<T extends string>(name: string, type: T, summary: Type.TSchema, items: Type.TSchema[]) {
  const results = Type.Array(Type.Union(items), { description: 'In the order of submission' });
  return Type.Interface(
    [Batch],
    {
      success: Type.Literal(true),
      type: Type.Literal(type),
      summary,
      results: Type.Optional(
        Nullable(results, 'Not there while the batch runs or with `results=none`; null when no longer kept'),
      ),
    },
    { $id: name },
  );
}
