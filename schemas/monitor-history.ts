import Type from 'typebox';
import { changeKindNames } from './change-kinds.ts';
import { Nullable, ObjectSchema, RequestId, StringEnum, Timestamp, Warnings } from './common.ts';
import { RankQuery } from './keyword.ts';
import { ListSchema } from './list.ts';
import { MonitorId } from './monitor.ts';
import { RunId } from './monitor-run.ts';

const { keyword, target_url, country, language, location, device, match, tag } = RankQuery.properties;

/** A URL, or the fields of a query. */
export const MonitorSubject = Type.Union([
  Type.String({ description: 'The URL as sent' }),
  Type.Object({ keyword, target_url, country, language, location, device, match, tag }),
]);
export type MonitorSubject = Type.Static<typeof MonitorSubject>;

const SubjectId = Type.Integer({
  minimum: 1,
  description: 'Stays the same if the list of the monitor changes',
});
const Fields = Type.Object(
  {},
  { additionalProperties: true, description: 'Fields of the answer that differ' },
);

export const MonitorChange = ObjectSchema('MonitorChange', {
  change_id: Type.Integer({ minimum: 1 }),
  monitor_id: MonitorId,
  run_id: { ...RunId, description: 'The run that found the change first' },
  subject_id: SubjectId,
  subject: Nullable(MonitorSubject, 'Null after the monitor was deleted'),
  kind: StringEnum(changeKindNames),
  before: {
    ...Fields,
    description: 'Fields that differ, with their last reported values',
  },
  after: { ...Fields, description: 'The same fields now' },
  request_id: Nullable(RequestId, 'The check that found the change; null for a change of the sitemap'),
  at: { ...Timestamp, description: 'When the change was reported' },
});
export type MonitorChange = Omit<Type.Static<typeof MonitorChange>, 'before' | 'after'> & {
  before: object;
  after: object;
};

export const ChangeList = ListSchema(MonitorChange, 'ChangeList');

/** A period in which all answers of a subject were equal. */
const Period = Type.Object({
  from: { ...Timestamp, description: 'Start of the first run with this answer' },
  until: {
    ...Timestamp,
    description: 'Start of the last run with this answer. A pause of the monitor ends a period.',
  },
  status: Type.Optional(Type.Integer({ minimum: 0, maximum: 999 })),
  is_soft404: Type.Optional(Type.Boolean()),
  soft404_checked: Type.Optional(Type.Boolean()),
  bot_wall: Type.Optional(Type.Boolean({ description: 'Whether bot protection blocked the check' })),
  is_indexed: Type.Optional(Type.Boolean()),
  rank: Type.Optional(Nullable(Type.Integer({ minimum: 1 }), 'Null if not ranked')),
  ai_overview: Type.Optional(
    StringEnum(['shown', 'not_shown'], {
      description: 'Only if the query includes `ai_overview`; missing if it is unknown',
    }),
  ),
  ai_cited: Type.Optional(
    Type.Boolean({
      description: 'Whether the AI Overview cites the target; missing if its sources were not read',
    }),
  ),
  competitors: Type.Optional(
    Type.Array(
      Type.Object({
        url: Type.String(),
        rank: Nullable(Type.Integer({ minimum: 1 }), 'Null if not ranked'),
      }),
      {
        description:
          "Ranks of the query's current competitors, without those that the query did not have in this period. Absent if it had none of them",
      },
    ),
  ),
  unconfirmed: Type.Boolean({ description: 'True for a loss that no second check has confirmed' }),
});
export type AnswerPeriod = Type.Static<typeof Period>;

const RankThen = Nullable(
  Type.Object({
    rank: Nullable(Type.Integer({ minimum: 1 }), 'Null if the target did not rank'),
    difference: Nullable(
      Type.Integer({ description: 'Negative: moved up' }),
      'Null if the target did not rank then, or does not rank now',
    ),
  }),
  'Rank 1, 7 or 30 days ago, from the check closest to that time. Null if no check was within 12 hours, 3.5 days or 15 days of that time',
);

/** A subject of a monitor with its answers. */
export const SubjectEntry = ObjectSchema('SubjectEntry', {
  subject_id: SubjectId,
  subject: MonitorSubject,
  joined_at: Timestamp,
  left_at: Nullable(Timestamp, 'Null while the monitor checks the subject'),
  left_reason: Nullable(
    StringEnum(['removed', 'left_sitemap', 'indexed']),
    'Null while the monitor checks the subject',
  ),
  latest: Nullable(Period, 'Null before the first answer'),
  ranked_url: Type.Optional(
    Nullable(
      Type.String(),
      'The page that ranked in the last answer; null if no page ranked. Only for queries',
    ),
  ),
  best: Type.Optional(
    Nullable(
      Type.Object({ rank: Type.Integer({ minimum: 1 }), at: Timestamp }),
      'The best rank so far; null if the target never ranked',
    ),
  ),
  differences: Type.Optional(Type.Object({ day_1: RankThen, day_7: RankThen, day_30: RankThen })),
  points: Type.Array(Period, {
    description: 'Periods between the parameters `from` and `to`, oldest first',
  }),
});
export type SubjectEntry = Type.Static<typeof SubjectEntry>;

export const SubjectList = ListSchema(SubjectEntry, 'SubjectList');

export const citedDomainsMax = 100;

export const CitedDomains = ObjectSchema('CitedDomains', {
  success: Type.Literal(true),
  data: Type.Array(
    Type.Object({
      domain: Type.String({ examples: ['example.com'] }),
      share: Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Share of AI Overviews that cite the domain, among those whose sources were read',
      }),
      is_target: Type.Boolean({ description: 'Whether the domain belongs to a target of the monitor' }),
      is_competitor: Type.Boolean({ description: 'Whether the domain belongs to a competitor' }),
    }),
    { maxItems: citedDomainsMax, description: 'Most cited first' },
  ),
  warnings: Type.Optional(Warnings),
});
