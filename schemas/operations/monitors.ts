import Type from 'typebox';
import { checkTypeNames } from '../check-types.ts';
import { MonitorAnswer, MonitorList, MonitorPatch, MonitorRequest } from '../monitor.ts';
import { RunAnswer, RunList } from '../monitor-run.ts';
import { monitorStatuses, runStatuses } from '../monitor-words.ts';
import * as examples from './examples.ts';
import * as monitorExamples from './monitor-examples.ts';
import { json, type Operation } from './operation.ts';
import { monitorId, paging, word } from './parameters.ts';

const Deleted = Type.Object({ success: Type.Literal(true) }, { $id: 'MonitorDeleted' });
const shown = { success: true, monitor: monitorExamples.monitor };
/** Monitors spend by themselves, so a token that only checks makes none. */
const mayMonitor = { scope: 'manage', role: 'member', isLiveOnly: true } as const;
const replayed = ['Idempotent-Replayed'] as const;

export const monitorOperations: Operation[] = [
  {
    id: 'createMonitor',
    method: 'post',
    path: '/api/v1/monitors',
    tag: 'Monitors',
    ...mayMonitor,
    summary: 'Check a list again and again',
    description:
      'Exactly one of `urls`, `queries` and `sitemap_url`. Nothing is charged before the first run. A sitemap is read at ' +
      'once, and again before every run.',
    body: {
      schema: MonitorRequest,
      examples: {
        'a list every day': monitorExamples.monitorRequest,
        'ranks twice a week': monitorExamples.rankMonitorRequest,
        'a sitemap until it is indexed': monitorExamples.sitemapMonitorRequest,
      },
    },
    answers: { 201: json('The monitor.', MonitorAnswer, { made: shown }, replayed) },
  },
  {
    id: 'listMonitors',
    method: 'get',
    path: '/api/v1/monitors',
    tag: 'Monitors',
    summary: 'List monitors',
    isLiveOnly: true,
    description: 'Newest first.',
    parameters: [
      word('status', monitorStatuses, 'Only monitors in this state.'),
      word('type', checkTypeNames, 'Only monitors of this type.'),
      ...paging,
    ],
    answers: {
      200: json('A page of monitors.', MonitorList, { page: examples.listOf(monitorExamples.monitor) }, [
        'Link',
      ]),
    },
  },
  {
    id: 'getMonitor',
    method: 'get',
    path: '/api/v1/monitors/{monitor_id}',
    tag: 'Monitors',
    summary: 'Get a monitor',
    isLiveOnly: true,
    description:
      'With what it costs: `credits_per_run`, and `credits_per_month` for the runs of the next 30 days.',
    parameters: [monitorId],
    answers: { 200: json('The monitor.', MonitorAnswer, { shown }) },
  },
  {
    id: 'changeMonitor',
    method: 'patch',
    path: '/api/v1/monitors/{monitor_id}',
    tag: 'Monitors',
    ...mayMonitor,
    summary: 'Change a monitor',
    description:
      'Fields that are missing stay; null clears; lists, `schedule` and `notify` are replaced whole. A list and a sitemap ' +
      'may take each other’s place. It holds from the next run on.',
    parameters: [monitorId],
    body: { schema: MonitorPatch, examples: { 'another time': { schedule: { every: 'day', at: '07:30' } } } },
    answers: { 200: json('The monitor as it is now.', MonitorAnswer, { changed: shown }, replayed) },
  },
  {
    id: 'deleteMonitor',
    method: 'delete',
    path: '/api/v1/monitors/{monitor_id}',
    tag: 'Monitors',
    ...mayMonitor,
    summary: 'Delete a monitor',
    description: 'A run that is at work ends; batches and the ledger stay.',
    parameters: [monitorId],
    answers: { 200: json('It is gone.', Deleted, { deleted: { success: true } }, replayed) },
  },
  {
    id: 'pauseMonitor',
    method: 'post',
    path: '/api/v1/monitors/{monitor_id}/pause',
    tag: 'Monitors',
    ...mayMonitor,
    isAlwaysAllowed: true,
    summary: 'Pause a monitor',
    description: 'A run that is at work ends. Losses that wait to be confirmed are dropped.',
    parameters: [monitorId],
    answers: { 200: json('The monitor as it is now.', MonitorAnswer, { paused: shown }, replayed) },
  },
  {
    id: 'resumeMonitor',
    method: 'post',
    path: '/api/v1/monitors/{monitor_id}/resume',
    tag: 'Monitors',
    ...mayMonitor,
    summary: 'Resume a monitor',
    description: 'It goes on with its next due time; what it has missed is not caught up.',
    parameters: [monitorId],
    answers: { 200: json('The monitor as it is now.', MonitorAnswer, { resumed: shown }, replayed) },
  },
  {
    id: 'runMonitor',
    method: 'post',
    path: '/api/v1/monitors/{monitor_id}/run',
    tag: 'Monitors',
    ...mayMonitor,
    isCharged: true,
    summary: 'Run a monitor now',
    description: 'Paused or not; its due times stay. Costs what any run does.',
    parameters: [monitorId],
    answers: {
      202: json('It has begun.', RunAnswer, { begun: { success: true, run: monitorExamples.run } }, replayed),
    },
    errors: [402],
  },
  {
    id: 'listMonitorRuns',
    method: 'get',
    path: '/api/v1/monitors/{monitor_id}/runs',
    tag: 'Monitors',
    summary: 'List the runs of a monitor',
    isLiveOnly: true,
    description: 'Newest first, those that were skipped among them, with the reason.',
    parameters: [monitorId, word('status', runStatuses, 'Only runs in this state.'), ...paging],
    answers: {
      200: json('A page of runs.', RunList, { page: examples.listOf(monitorExamples.run) }, ['Link']),
    },
  },
];
