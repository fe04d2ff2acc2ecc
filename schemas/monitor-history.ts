import Type from 'typebox';
import { changeKindNames } from './change-kinds.ts';
import { RankQuery } from './keyword.ts';
import { ListOf } from './list.ts';
import { MonitorId } from './monitor.ts';
import { RunId } from './monitor-run.ts';
import { Nullable, RequestId, Timestamp, Word } from './text.ts';

const { keyword, target_url, country, language, device, match, tag } = RankQuery.properties;

/** What a monitor checks: the address, or the fields of the query. */
export const MonitorSubject = Type.Union([
  Type.String({ description: 'The address, as it was sent' }),
  Type.Object({ keyword, target_url, country, language, device, match, tag }),
]);
export type MonitorSubject = Type.Static<typeof MonitorSubject>;

const SubjectId = Type.Integer({ minimum: 1, description: 'The same in all lists of the monitor' });
const Fields = Type.Object(
  {},
  { additionalProperties: true, description: 'The fields of the answer that differ' },
);

/** What changed of a subject. */
export const MonitorChange = Type.Object(
  {
    change_id: Type.Integer({ minimum: 1 }),
    monitor_id: MonitorId,
    run_id: { ...RunId, description: 'The run that saw it first' },
    subject_id: SubjectId,
    subject: Nullable(MonitorSubject, 'Null once the monitor was deleted'),
    kind: Word(changeKindNames),
    before: { ...Fields, description: 'The fields of the answer that differ, as last told' },
    after: { ...Fields, description: 'The same as they are now' },
    request_id: Nullable(RequestId, 'The check whose answer it is; null for changes of a sitemap'),
    at: { ...Timestamp, description: 'When it was told' },
  },
  { $id: 'MonitorChange' },
);
export type MonitorChange = Omit<Type.Static<typeof MonitorChange>, 'before' | 'after'> & {
  before: object;
  after: object;
};

/** GET /monitors/{monitor_id}/changes. */
export const ChangeList = ListOf(MonitorChange, 'ChangeList');

/** A stretch of equal answers. */
const Stretch = Type.Object({
  from: { ...Timestamp, description: 'When the run began that found it first' },
  until: { ...Timestamp, description: 'When the run began that found it last' },
  status: Type.Optional(Type.Integer({ minimum: 0, maximum: 999 })),
  is_soft404: Type.Optional(Type.Boolean()),
  soft404_checked: Type.Optional(Type.Boolean()),
  bot_wall: Type.Optional(Type.Boolean({ description: 'Whether somebody stopped the check' })),
  is_indexed: Type.Optional(Type.Boolean()),
  rank: Type.Optional(Nullable(Type.Integer({ minimum: 1 }), 'Null when not among the results')),
  competitors: Type.Optional(
    Type.Array(Type.Object({ url: Type.String(), rank: Nullable(Type.Integer({ minimum: 1 })) })),
  ),
  unconfirmed: Type.Boolean({ description: 'A loss that was not found again at the second look' }),
});
export type Stretch = Type.Static<typeof Stretch>;

const RankThen = Nullable(
  Type.Object({
    rank: Nullable(Type.Integer({ minimum: 1 }), 'Null when it was not among the results'),
    difference: Nullable(
      Type.Integer({ description: 'Below 0: it rose' }),
      'Null unless it was ranked then and is now',
    ),
  }),
  'By the check nearest to that day, at most half of the time off; null without one',
);

/** What a monitor checks, and how it went. */
export const SubjectEntry = Type.Object(
  {
    subject_id: SubjectId,
    subject: MonitorSubject,
    joined_at: Timestamp,
    left_at: Nullable(Timestamp, 'Null while it is checked'),
    left_reason: Nullable(Word(['removed', 'left_sitemap', 'indexed']), 'Null while it is checked'),
    latest: Nullable(Stretch, 'Null before its first answer'),
    best: Type.Optional(
      Nullable(
        Type.Object({ rank: Type.Integer({ minimum: 1 }), at: Timestamp }),
        'The best rank it ever had; null before it has one',
      ),
    ),
    differences: Type.Optional(Type.Object({ day_1: RankThen, day_7: RankThen, day_30: RankThen })),
    points: Type.Array(Stretch, { description: 'From `from` to `to`, oldest first' }),
  },
  { $id: 'SubjectEntry' },
);
export type SubjectEntry = Type.Static<typeof SubjectEntry>;

/** GET /monitors/{monitor_id}/subjects. */
export const SubjectList = ListOf(SubjectEntry, 'SubjectList');
