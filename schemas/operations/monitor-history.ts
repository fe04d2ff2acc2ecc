import { changeKindNames } from '../change-kinds.ts';
import { ChangeList, CitedDomains, SubjectList } from '../monitor-history.ts';
import { runsPerPageMax, SeriesList } from '../monitor-series.ts';
import { jsonResponse, listResponse, type Parameter, tableOperations, withTag } from './operation.ts';
import { enumParameter, paging, textParameter } from './parameters.ts';

const subjectId: Parameter = {
  in: 'query',
  name: 'subject_id',
  description: 'Only this URL or query.',
  schema: { type: 'integer', minimum: 1, examples: [311] },
};

const group: readonly Parameter[] = [
  textParameter('tag', 'Only queries with exactly this tag.', 'brand'),
  enumParameter('device', ['desktop', 'mobile'], 'Only queries for this device.'),
  textParameter('country', 'Only queries for this country.', 'DE'),
  textParameter(
    'location',
    'Only queries from this city, as in the subject.',
    'Austin, Texas, United States',
  ),
];

const time: readonly Parameter[] = [
  textParameter('from', 'Start date or time, inclusive.', '2026-11-01'),
  textParameter('to', 'End date or time, exclusive.', '2026-11-20T09:41:05+00:00'),
];

const changeFilters: readonly Parameter[] = [
  enumParameter('kind', changeKindNames, 'Only changes of this kind.'),
  {
    in: 'query',
    name: 'run_id',
    description: 'Only changes that this run found first, or reported.',
    schema: { type: 'string', format: 'uuid' },
  },
  subjectId,
  ...group,
  ...time,
];

const search = textParameter(
  'q',
  'Only subjects with this text in the URL or keyword. Ignores case.',
  'shoes',
);

export const change = {
  change_id: 907,
  monitor_id: '7c9f1d1e-52a4-4a52-8b7e-0d3c1b0a9f21',
  run_id: '4f2a8b6c-1d3e-4f50-9a7b-6c5d4e3f2a10',
  subject_id: 311,
  subject: 'https://example.com/shoes',
  kind: 'status_changed',
  before: { status: 200, initial_status: 200 },
  after: { status: 404, initial_status: 404 },
  request_id: 48151,
  at: '2026-11-20T06:02:11+00:00',
} as const;

const then = { rank: 9, difference: -2 };
const stretch = {
  from: '2026-11-18T06:00:00+00:00',
  until: '2026-11-20T06:00:00+00:00',
  rank: 7,
  unconfirmed: false,
};
const subject = {
  subject_id: 312,
  subject: {
    keyword: 'running shoes',
    target_url: 'example.com',
    country: 'US',
    language: 'en',
    device: 'desktop',
    match: 'site',
    tag: 'brand',
  },
  joined_at: '2026-10-01T06:00:00+00:00',
  left_at: null,
  left_reason: null,
  latest: stretch,
  best: { rank: 5, at: '2026-10-14T06:00:00+00:00' },
  differences: { day_1: { rank: 7, difference: 0 }, day_7: then, day_30: null },
  points: [stretch],
};

const entry = {
  run_id: '4f2a8b6c-1d3e-4f50-9a7b-6c5d4e3f2a10',
  at: '2026-11-20T06:00:00+00:00',
  subjects: 2,
  answered: 2,
  failed: 0,
  unconfirmed: 0,
  coverage: 1,
  changes: { rank_up: 1 },
  ranks: {
    top_3: 0,
    top_10: 1,
    top_20: 1,
    top_100: 1,
    not_ranked: 1,
    visibility: 0.0667,
    average_rank: 7,
    differences: {
      day_1: { queries: 1, average_rank_before: 9, average_rank_now: 7 },
      day_7: null,
      day_30: null,
    },
  },
};

const paths = '/api/v1/monitors/{monitor_id}' as const;

export const monitorHistoryOperations = withTag('Monitors', [
  {
    id: 'listChanges',
    method: 'get',
    path: `${paths}/changes`,
    summary: 'List changes',
    isLiveOnly: true,
    description:
      'Newest first. An answer is compared with the last reported answer of its subject. A failed check is never a change. ' +
      'A change has one kind, but names all fields that differ.',
    parameters: [...changeFilters, ...paging],
    answers: listResponse('A page of changes.', ChangeList, change),
  },
  {
    id: 'listSubjects',
    method: 'get',
    path: `${paths}/subjects`,
    summary: 'List subjects with their history',
    isLiveOnly: true,
    description:
      'In the order of the list, including subjects that are no longer checked. `points` are periods of equal answers. ' +
      'Default: the last 90 days. Older points have the last answer of each day.',
    parameters: [subjectId, ...group, ...time, ...paging],
    answers: listResponse('A page of subjects.', SubjectList, subject),
  },
  {
    id: 'listSeries',
    method: 'get',
    path: `${paths}/series`,
    summary: 'List counts of each run',
    isLiveOnly: true,
    description:
      'For charts, newest first. Shares are shares of the answered subjects. A run stores up to ' +
      '200 groups of device, country, location and tag. Queries of further groups are included only in the total.',
    parameters: [
      ...group,
      ...time,
      ...paging.map((each) =>
        each.name === 'per_page' ? { ...each, schema: { ...each.schema, maximum: runsPerPageMax } } : each,
      ),
    ],
    answers: listResponse('A page of runs.', SeriesList, entry),
  },
  {
    id: 'listCitedDomains',
    method: 'get',
    path: `${paths}/sources`,
    summary: 'List the domains that AI Overviews cite',
    isLiveOnly: true,
    description:
      'Domains that were cited in the runs from `from` to `to`. Default: the last 30 days. Only for keyword monitors with ' +
      'queries that include `ai_overview`. A run stores its 200 most cited domains.',
    parameters: [...time],
    answers: jsonResponse('The domains.', CitedDomains, {
      domains: {
        success: true,
        data: [{ domain: 'example.com', share: 0.4, is_target: true, is_competitor: false }],
      },
    }),
  },
  ...tableOperations({
    id: 'exportChanges',
    path: `${paths}/changes`,
    summary: 'Get changes',
    isLiveOnly: true,
    columns:
      'Newest first. Each field that can differ has a column for the value before and a column for the value after.',
    parameters: [...changeFilters],
    example:
      'at,kind,url,status_before,status_after\n2026-11-20T06:02:11+00:00,status_changed,https://example.com/,200,404\n',
  }),
  ...tableOperations({
    id: 'exportSubjects',
    path: `${paths}/subjects`,
    summary: 'Get subjects with their latest answers',
    isLiveOnly: true,
    columns:
      'One row per URL or query. Ranks have the page that ranked, their best rank, the places gained in 1, 7 and 30 days (negative: moved down), their AI Overview, and a column per competitor.',
    parameters: [subjectId, search, ...group, ...time],
    example: 'keyword,target_url,rank,best_rank\nrunning shoes,example.com,7,5\n',
  }),
  ...tableOperations({
    id: 'exportPoints',
    path: `${paths}/points`,
    summary: 'Get the history of subjects',
    isLiveOnly: true,
    columns:
      'One row per subject and period of equal answers, by default of the last 90 days. Ranks have their AI Overview and a column per competitor.',
    parameters: [subjectId, search, ...group, ...time],
    example: 'keyword,from,until,rank\nrunning shoes,2026-11-18T06:00:00+00:00,2026-11-20T06:00:00+00:00,7\n',
  }),
]);
