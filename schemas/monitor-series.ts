import Type from 'typebox';
import { changeKindNames } from './change-kinds.ts';
import { ListOf } from './list.ts';
import { RunId } from './monitor-run.ts';
import { Nullable, Timestamp } from './text.ts';
import { visibilityCurve } from './visibility.ts';

/** The most runs that one page of a series shows: a year of days, and the day before it. */
export const runsPerPageMax = 366;

const Count = Type.Integer({ minimum: 0 });
const Share = Nullable(Type.Number({ minimum: 0, maximum: 1 }), 'Null where nothing was answered');

const Difference = Nullable(
  Type.Object({
    queries: { ...Count, description: 'How many were ranked then and are now' },
    average_rank_before: Type.Number(),
    average_rank_now: Type.Number(),
  }),
  'Null where no query was ranked at both ends',
);
const Differences = Type.Object(
  { day_1: Difference, day_7: Difference, day_30: Difference },
  {
    description:
      'Over the queries that were ranked so many days before and are now: then is the check nearest to that day, at most half of the time off',
  },
);

const standing = {
  top_3: Count,
  top_10: Count,
  top_20: Count,
  top_100: Count,
  not_ranked: Count,
  visibility: Nullable(
    Type.Number({ minimum: 0, maximum: 1 }),
    `By the curve ${visibilityCurve.name}: 1 with every query in the first place. Null where nothing was answered`,
  ),
  average_rank: Nullable(Type.Number({ minimum: 1 }), 'Of those that are ranked; null where none is'),
  differences: Differences,
};
const Standing = Type.Object(standing);
export type StandingBody = Type.Static<typeof Standing>;

/** How many changes of each kind. */
export const ChangeCounts = Type.Object(
  Object.fromEntries(changeKindNames.map((kind) => [kind, Type.Optional(Count)])),
  {
    $id: 'ChangeCounts',
    description:
      'Those that a run saw first, or a message tells; not in a series with `tag`, `device` or `country`',
  },
);

/** What a run counted, of all its subjects or of those that are asked for. */
export const SeriesEntry = Type.Object(
  {
    run_id: RunId,
    at: { ...Timestamp, description: 'When the run began' },
    subjects: Count,
    answered: Count,
    failed: { ...Count, description: 'Without an answer; in no share' },
    unconfirmed: { ...Count, description: 'Losses that were not looked at again; in no share' },
    coverage: { ...Share, description: 'Answered of subjects' },
    changes: Type.Optional(ChangeCounts),
    indexed: Type.Optional(Count),
    share_indexed: Type.Optional(Share),
    dead: Type.Optional({ ...Count, description: 'Status 0 or 400 and above' }),
    soft404: Type.Optional(Count),
    bot_wall: Type.Optional({ ...Count, description: 'Neither alive nor dead; in no share' }),
    share_dead: Type.Optional(Share),
    share_soft404: Type.Optional(Share),
    ranks: Type.Optional(Standing),
    competitors: Type.Optional(Type.Array(Type.Object({ url: Type.String(), ...standing }))),
  },
  { $id: 'SeriesEntry' },
);
export type SeriesEntry = Type.Static<typeof SeriesEntry>;

/** GET /monitors/{monitor_id}/series. */
export const SeriesList = ListOf(SeriesEntry, 'SeriesList', runsPerPageMax);
