import Type from 'typebox';
import { changeKindNames } from './change-kinds.ts';
import { Nullable, ObjectSchema, Timestamp } from './common.ts';
import { ListSchema } from './list.ts';
import { RunId } from './monitor-run.ts';
import { visibilityCurve } from './visibility.ts';

/** A year of daily runs fits on one page. */
export const runsPerPageMax = 366;

const Count = Type.Integer({ minimum: 0 });
const Share = Nullable(Type.Number({ minimum: 0, maximum: 1 }), 'Null if there was no answer');

const Difference = Nullable(
  Type.Object({
    queries: { ...Count, description: 'Queries that ranked then and rank now' },
    average_rank_before: Type.Number(),
    average_rank_now: Type.Number(),
  }),
  'Null if no query ranked both times',
);
const Differences = Type.Object(
  { day_1: Difference, day_7: Difference, day_30: Difference },
  {
    description:
      'Changes of the average rank since 1, 7 and 30 days ago. Only queries that ranked then and rank now. The earlier rank ' +
      'is from the nearest check, which may be up to half of this time earlier or later',
  },
);

const rankFields = {
  top_3: Count,
  top_10: Count,
  top_20: Count,
  top_100: Count,
  not_ranked: Count,
  visibility: Nullable(
    Type.Number({ minimum: 0, maximum: 1 }),
    `Computed with the curve ${visibilityCurve.name}: 1 if all queries rank first. Null if there was no answer`,
  ),
  average_rank: Nullable(Type.Number({ minimum: 1 }), 'Average of the queries that rank; null if none ranks'),
  differences: Differences,
};
const RankDistribution = Type.Object(rankFields);
export type RankDistributionBody = Type.Static<typeof RankDistribution>;

export const ChangeCounts = Type.Object(
  Object.fromEntries(changeKindNames.map((kind) => [kind, Type.Optional(Count)])),
  {
    $id: 'ChangeCounts',
    description:
      'Number of changes by kind. In a list of runs: changes that the run found first; absent if the list is filtered. ' +
      'In a webhook: changes that the webhook reports',
  },
);

/** Counts of a run, of all subjects or of a group. */
export const SeriesEntry = ObjectSchema('SeriesEntry', {
  run_id: RunId,
  at: { ...Timestamp, description: 'Start of the run' },
  subjects: Count,
  answered: Count,
  failed: { ...Count, description: 'Subjects without an answer. No share includes them' },
  unconfirmed: {
    ...Count,
    description: 'Losses that no second check has confirmed. No share includes them',
  },
  coverage: { ...Share, description: '`answered` / `subjects`' },
  changes: Type.Optional(ChangeCounts),
  indexed: Type.Optional(Count),
  share_indexed: Type.Optional(Share),
  dead: Type.Optional({ ...Count, description: 'Status 0, or 400 and above' }),
  soft404: Type.Optional(Count),
  bot_wall: Type.Optional({
    ...Count,
    description: 'Checks that bot protection blocked. No share includes them',
  }),
  share_dead: Type.Optional(Share),
  share_soft404: Type.Optional(Share),
  ai_coverage: Type.Optional({
    ...Share,
    description: 'Share of queries with an AI Overview, among the queries for which this is known',
  }),
  ai_citation_rate: Type.Optional({
    ...Share,
    description: 'Among the AI Overviews whose sources were read, the share that cites the target',
  }),
  ranks: Type.Optional(RankDistribution),
  competitors: Type.Optional(Type.Array(Type.Object({ url: Type.String(), ...rankFields }))),
});
export type SeriesEntry = Type.Static<typeof SeriesEntry>;

export const SeriesList = ListSchema(SeriesEntry, 'SeriesList', runsPerPageMax);
