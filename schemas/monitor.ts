import Type from 'typebox';
import { checkTypeNames } from './check-types.ts';
import { KeywordQuery } from './keyword.ts';
import { ListOf } from './list.ts';
import {
  every,
  monitorStatuses,
  notifyWhen,
  pausedReasons,
  subjectsMax,
  timePattern,
  weekdays,
} from './monitor-words.ts';
import { Nullable, Reference, Timestamp, visibleTextPattern, Warnings, WebhookUrl, Word } from './text.ts';

const Every = Word(every);
const At = Type.String({
  pattern: timePattern,
  description:
    'By the clock on the wall of `timezone`; with `hour` its minute, in UTC. Without it the service spreads monitors ' +
    'over 03:00 to 07:00, or over the hour',
  examples: ['06:00'],
});
const On = Type.Array(Type.Union([Word(weekdays), Type.Integer({ minimum: -1, maximum: 31 })]), {
  minItems: 1,
  maxItems: 31,
  description:
    'Names of days with `week` (["mon"] unless given), days from 1 to 31 with `month` ([1] unless given), -1 for its ' +
    'last. The 31st of a shorter month is its last day',
  examples: [['mon', 'thu']],
});
const Timezone = Type.String({
  minLength: 1,
  maxLength: 64,
  default: 'UTC',
  description: 'An IANA name',
  examples: ['Europe/Berlin'],
});

const MonitorSchedule = Type.Object({
  every: Every,
  at: Type.Optional(Nullable(At)),
  on: Type.Optional(Nullable(On)),
  timezone: Type.Optional(Timezone),
});

const NotifyWhen = Word(notifyWhen, {
  default: 'changed',
  description: '`always`: after runs without a change too',
});
const MonitorNotify = Type.Object({
  when: Type.Optional(NotifyWhen),
  webhook_url: Type.Optional(Nullable(WebhookUrl)),
  email: Type.Optional(Type.Boolean({ default: true, description: 'A digest by mail, where mail is on' })),
});

const Name = Type.String({ maxLength: 255, pattern: visibleTextPattern, examples: ['Shop'] });
const SitemapUrl = Type.String({ minLength: 1, examples: ['https://example.com/sitemap.xml'] });
const SubjectsMax = Type.Integer({
  minimum: 1,
  maximum: subjectsMax,
  description:
    'What a run may check, and so cost, at most; of a sitemap twice its first reading unless given',
});
const RankThreshold = Type.Integer({
  minimum: 1,
  maximum: 100,
  default: 3,
  description: 'Places that a rank must move to be a change; crossing 3, 10 or 20 is one too',
});
const ConfirmLosses = Type.Boolean({
  default: true,
  description: 'Losses are checked once more ten minutes later, and told only if they stood',
});
const StopWhen = Word(['indexed'], { description: 'An address leaves once it is in the index' });

const lists = {
  urls: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: subjectsMax })),
  queries: Type.Optional(Type.Array(KeywordQuery, { minItems: 1, maxItems: subjectsMax })),
  sitemap_url: Type.Optional(SitemapUrl),
};

/** POST /monitors: exactly one of `urls`, `queries` and `sitemap_url`. */
export const MonitorRequest = Type.Object(
  {
    name: Name,
    type: Word(checkTypeNames),
    ...lists,
    schedule: MonitorSchedule,
    stop_when: Type.Optional(Nullable(StopWhen)),
    notify: Type.Optional(MonitorNotify),
    rank_threshold: Type.Optional(RankThreshold),
    confirm_losses: Type.Optional(ConfirmLosses),
    subjects_max: Type.Optional(SubjectsMax),
    reference: Type.Optional(Nullable(Reference)),
  },
  { $id: 'MonitorRequest' },
);
export type MonitorRequest = Type.Static<typeof MonitorRequest>;

/** PATCH /monitors/{monitor_id}: fields that are missing stay, null clears, lists and objects are replaced whole. */
export const MonitorPatch = Type.Object(
  {
    name: Type.Optional(Name),
    ...lists,
    schedule: Type.Optional(MonitorSchedule),
    stop_when: Type.Optional(Nullable(StopWhen)),
    notify: Type.Optional(Nullable(MonitorNotify)),
    rank_threshold: Type.Optional(Nullable(RankThreshold)),
    confirm_losses: Type.Optional(Nullable(ConfirmLosses)),
    subjects_max: Type.Optional(SubjectsMax),
    reference: Type.Optional(Nullable(Reference)),
  },
  { $id: 'MonitorPatch' },
);
export type MonitorPatch = Type.Static<typeof MonitorPatch>;

export const MonitorId = Type.String({ format: 'uuid', examples: ['7c9f1d1e-52a4-4a52-8b7e-0d3c1b0a9f21'] });
const Count = Type.Integer({ minimum: 0 });

/** A monitor as its resource shows it, with all defaults. */
export const Monitor = Type.Object(
  {
    monitor_id: MonitorId,
    name: Name,
    type: Word(checkTypeNames),
    sitemap_url: Nullable(SitemapUrl, 'Null where it is a list'),
    schedule: Type.Object({
      every: Every,
      at: { ...At, description: 'As asked for, or as the service spreads it' },
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
    status: Word(monitorStatuses, { description: '`completed` when no URLs are left to check' }),
    paused_reason: Nullable(Word(pausedReasons), 'Null unless it is paused'),
    subjects: { ...Count, description: 'How many addresses or queries the next run checks' },
    next_run_at: Nullable(Timestamp, 'Null unless it is active'),
    last_run_at: Nullable(Timestamp, 'When a run last started; null before the first'),
    credits_per_run: Count,
    credits_per_month: { ...Count, description: 'Runs of the next 30 days; confirmations come on top' },
    created_at: Timestamp,
  },
  { $id: 'Monitor' },
);
export type Monitor = Type.Static<typeof Monitor>;

export const MonitorAnswer = Type.Object(
  { success: Type.Literal(true), monitor: Monitor, warnings: Type.Optional(Warnings) },
  { $id: 'MonitorAnswer' },
);

export const MonitorList = ListOf(Monitor, 'MonitorList');
