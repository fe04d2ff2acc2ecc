import Type from 'typebox';
import { checkTypeNames } from './check-types.ts';
import {
  Nullable,
  ObjectSchema,
  Reference,
  StringEnum,
  Timestamp,
  visibleTextPattern,
  Warnings,
  WebhookUrl,
} from './common.ts';
import { KeywordQuery, LocationText } from './keyword.ts';
import { ListSchema } from './list.ts';
import {
  monitorStatuses,
  notifyModes,
  pausedReasons,
  scheduleIntervals,
  subjectsMax,
  timePattern,
  weekdays,
} from './monitor-types.ts';

const Every = StringEnum(scheduleIntervals);
const At = Type.String({
  pattern: timePattern,
  description:
    'Local time in `timezone`. With `hour`, only the minute is used, in UTC. Default: a time from 03:00 to ' +
    '07:00, or any minute of the hour',
  examples: ['06:00'],
});
const On = Type.Array(Type.Union([StringEnum(weekdays), Type.Integer({ minimum: -1, maximum: 31 })]), {
  minItems: 1,
  maxItems: 31,
  description:
    'Weekdays with `week` (default ["mon"]). With `month`, days from 1 to 31 or -1 for the last day (default [1]). In ' +
    'a month without a 31st, 31 means the last day',
  examples: [['mon', 'thu']],
});
const Timezone = Type.String({
  minLength: 1,
  maxLength: 64,
  default: 'UTC',
  description: 'IANA time zone',
  examples: ['Europe/Berlin'],
});

const MonitorSchedule = Type.Object({
  every: Every,
  at: Type.Optional(Nullable(At)),
  on: Type.Optional(Nullable(On)),
  timezone: Type.Optional(Timezone),
});

const NotifyWhen = StringEnum(notifyModes, {
  default: 'changed',
  description: '`changed`: after runs with changes. `always`: after every run',
});
const MonitorNotify = Type.Object({
  when: Type.Optional(NotifyWhen),
  webhook_url: Type.Optional(Nullable(WebhookUrl)),
  email: Type.Optional(
    Type.Boolean({ default: true, description: 'Send emails about results, if the service sends email' }),
  ),
});

const Name = Type.String({ maxLength: 255, pattern: visibleTextPattern, examples: ['Shop'] });
const SitemapUrl = Type.String({ minLength: 1, examples: ['https://example.com/sitemap.xml'] });
const SubjectsMax = Type.Integer({
  minimum: 1,
  maximum: subjectsMax,
  description:
    'Maximum number of subjects per run. It limits the cost of a run. Default for a sitemap: twice the number of URLs at the first reading',
});
const RankThreshold = Type.Integer({
  minimum: 1,
  maximum: 100,
  default: 3,
  description: 'Minimum rank change to report. A change across rank 3, 10 or 20 is always reported',
});
const ConfirmLosses = Type.Boolean({
  default: true,
  description: 'Check losses again after 10 minutes, and report them only if they persist',
});
const StopWhen = StringEnum(['indexed'], { description: 'Stop checking a URL once it is indexed' });

const locationsMax = 100;

const lists = {
  urls: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: subjectsMax })),
  queries: Type.Optional(Type.Array(KeywordQuery, { minItems: 1, maxItems: subjectsMax })),
  locations: Type.Optional(
    Type.Array(LocationText, {
      minItems: 1,
      maxItems: locationsMax,
      description:
        'Checks each of `queries` from each of these cities: 10 queries and 3 locations are 30 subjects, and 30 credits ' +
        'per run. Only with `queries`. The queries must not have a `location` of their own',
      examples: [['Austin, Texas, United States', 'Boston, Massachusetts, United States']],
    }),
  ),
  sitemap_url: Type.Optional(SitemapUrl),
};

/** POST /monitors. Requires exactly one of `urls`, `queries` and `sitemap_url`. */
export const MonitorRequest = ObjectSchema('MonitorRequest', {
  name: Name,
  type: StringEnum(checkTypeNames),
  ...lists,
  schedule: MonitorSchedule,
  stop_when: Type.Optional(Nullable(StopWhen)),
  notify: Type.Optional(MonitorNotify),
  rank_threshold: Type.Optional(RankThreshold),
  confirm_losses: Type.Optional(ConfirmLosses),
  subjects_max: Type.Optional(SubjectsMax),
  reference: Type.Optional(Nullable(Reference)),
});
export type MonitorRequest = Type.Static<typeof MonitorRequest>;

/**
 * PATCH /monitors/{monitor_id}. Missing fields keep their value, with one exception: with a new list, a missing
 * `subjects_max` gets its default. Null sets the default. Lists and objects are replaced as a whole.
 */
export const MonitorPatch = ObjectSchema('MonitorPatch', {
  name: Type.Optional(Name),
  ...lists,
  schedule: Type.Optional(MonitorSchedule),
  stop_when: Type.Optional(Nullable(StopWhen)),
  notify: Type.Optional(Nullable(MonitorNotify)),
  rank_threshold: Type.Optional(Nullable(RankThreshold)),
  confirm_losses: Type.Optional(Nullable(ConfirmLosses)),
  subjects_max: Type.Optional(SubjectsMax),
  reference: Type.Optional(Nullable(Reference)),
});
export type MonitorPatch = Type.Static<typeof MonitorPatch>;

export const MonitorId = Type.String({ format: 'uuid', examples: ['7c9f1d1e-52a4-4a52-8b7e-0d3c1b0a9f21'] });
const Count = Type.Integer({ minimum: 0 });

/** A monitor with all defaults filled in. */
export const Monitor = ObjectSchema('Monitor', {
  monitor_id: MonitorId,
  name: Name,
  type: StringEnum(checkTypeNames),
  sitemap_url: Nullable(SitemapUrl, 'Null for a list of URLs or queries'),
  schedule: Type.Object({
    every: Every,
    at: { ...At, description: 'Requested time, or the time that the service has chosen' },
    on: Nullable(On, 'Null with `hour` and `day`'),
    timezone: Timezone,
  }),
  stop_when: Nullable(StopWhen),
  notify: Type.Object({
    when: NotifyWhen,
    webhook_url: Nullable(WebhookUrl),
    email: Type.Boolean(),
  }),
  rank_threshold: RankThreshold,
  confirm_losses: ConfirmLosses,
  subjects_max: SubjectsMax,
  reference: Nullable(Type.String()),
  status: StringEnum(monitorStatuses, { description: '`completed`: no URLs are left to check' }),
  paused_reason: Nullable(StringEnum(pausedReasons), 'Null if the monitor is not paused'),
  subjects: { ...Count, description: 'Number of URLs or queries of the next run' },
  next_run_at: Nullable(Timestamp, 'Null if the monitor is not active'),
  last_run_at: Nullable(Timestamp, 'Start of the last run; null before the first run'),
  credits_per_run: {
    ...Count,
    description:
      'Credits charged when a run starts. 1 credit is refunded for each AI Overview that is not shown or cannot be read',
  },
  credits_per_month: {
    ...Count,
    description: 'Credits for the runs of the next 30 days, without confirmations',
  },
  created_at: Timestamp,
});
export type Monitor = Type.Static<typeof Monitor>;

export const MonitorResponse = ObjectSchema('MonitorResponse', {
  success: Type.Literal(true),
  monitor: Monitor,
  warnings: Type.Optional(Warnings),
});

export const MonitorList = ListSchema(Monitor, 'MonitorList');
