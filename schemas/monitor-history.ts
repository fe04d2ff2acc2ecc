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
