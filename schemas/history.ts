import Type from 'typebox';
import {
  BatchId,
  InterfaceSchema,
  Nullable,
  ObjectSchema,
  RequestId,
  StringEnum,
  Timestamp,
} from './common.ts';
import { itemErrors } from './failures.ts';
import { QueryInput } from './keyword.ts';
import { ListSchema } from './list.ts';

const checked = {
  request_id: RequestId,
  checked_at: Timestamp,
  batch_id: Nullable(BatchId, 'Null for a single check'),
  state: StringEnum(['success', 'failed']),
  error: Nullable(StringEnum(itemErrors), 'Null if the check has an answer'),
};

/** An index check in GET /history. */
const IndexHistoryEntry = ObjectSchema('IndexHistoryEntry', {
  url: Type.String(),
  is_indexed: Nullable(Type.Boolean(), 'Null if the check failed'),
  engine: Type.Literal('google'),
  ...checked,
});

/** A rank check in GET /history?type=keyword. */
const RankHistoryEntry = InterfaceSchema('RankHistoryEntry', [QueryInput], {
  rank: Nullable(Type.Integer({ minimum: 1 }), 'Null if not found, or if the check failed'),
  ...checked,
});

/** GET /history. All entries have the same type. */
export const HistoryList = ListSchema(Type.Union([IndexHistoryEntry, RankHistoryEntry]), 'HistoryList');
