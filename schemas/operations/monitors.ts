import Type from 'typebox';
import { checkTypeNames } from '../check-types.ts';
import { ObjectSchema } from '../common.ts';
import { MonitorList, MonitorPatch, MonitorRequest, MonitorResponse } from '../monitor.ts';
import { RunList, RunResponse } from '../monitor-run.ts';
import { monitorStatuses, runStatuses } from '../monitor-types.ts';
import * as examples from './monitor-examples.ts';
import { jsonResponse, listResponse, withTag } from './operation.ts';
import { enumParameter, paging } from './parameters.ts';

const Deleted = ObjectSchema('MonitorDeleteResponse', { success: Type.Literal(true) });
const shown = { success: true, monitor: examples.monitor };
/** Monitors spend credits automatically. The scope `check` is therefore not enough. */
const monitorRight = { scope: 'manage', role: 'member', isLiveOnly: true } as const;

export const monitorOperations = withTag('Monitors', [
  {
    id: 'createMonitor',
    method: 'post',
    path: '/api/v1/monitors',
    ...monitorRight,
    summary: 'Create a monitor',
    description:
      'Set exactly one of `urls`, `queries` and `sitemap_url`. Nothing is charged before the first run. A sitemap is read ' +
      'when you create the monitor, and before its runs, but at most once an hour per host.',
    body: {
      schema: MonitorRequest,
      isList: true,
      examples: {
        'a list every day': examples.monitorRequest,
        'ranks twice a week': examples.rankMonitorRequest,
        'ranks from two cities': {
          ...examples.rankMonitorRequest,
          locations: ['Austin, Texas, United States', 'Boston, Massachusetts, United States'],
        },
        'a sitemap until every URL is indexed': examples.sitemapMonitorRequest,
      },
    },
    answers: jsonResponse('The monitor.', MonitorResponse, { made: shown }, { status: 201 }),
  },
  {
    id: 'listMonitors',
    method: 'get',
    path: '/api/v1/monitors',
    summary: 'List monitors',
    isLiveOnly: true,
    description: 'Newest first.',
    parameters: [
      enumParameter('status', monitorStatuses, 'Only monitors in this state.'),
      enumParameter('type', checkTypeNames, 'Only monitors of this type.'),
      ...paging,
    ],
    answers: listResponse('A page of monitors.', MonitorList, examples.monitor),
  },
  {
    id: 'getMonitor',
    method: 'get',
    path: '/api/v1/monitors/{monitor_id}',
    summary: 'Get a monitor',
    isLiveOnly: true,
    description: 'Includes the cost: `credits_per_run`, and `credits_per_month` for the next 30 days.',
    answers: jsonResponse('The monitor.', MonitorResponse, { shown }),
  },
  {
    id: 'changeMonitor',
    method: 'patch',
    path: '/api/v1/monitors/{monitor_id}',
    ...monitorRight,
    summary: 'Change a monitor',
    description:
      'Missing fields keep their value. Null sets the default. Lists, `schedule` and `notify` are replaced as a whole. You ' +
      'can replace a list with a sitemap and vice versa. Changes apply from the next run on.',
    body: {
      schema: MonitorPatch,
      isList: true,
      examples: { 'another time': { schedule: { every: 'day', at: '07:30' } } },
    },
    answers: jsonResponse('The changed monitor.', MonitorResponse, { changed: shown }),
  },
  {
    id: 'deleteMonitor',
    method: 'delete',
    path: '/api/v1/monitors/{monitor_id}',
    ...monitorRight,
    summary: 'Delete a monitor',
    description: 'A current run continues to its end. Batches and the ledger stay.',
    answers: jsonResponse('Deleted.', Deleted, { deleted: { success: true } }),
  },
  {
    id: 'pauseMonitor',
    method: 'post',
    path: '/api/v1/monitors/{monitor_id}/pause',
    ...monitorRight,
    isAlwaysAllowed: true,
    summary: 'Pause a monitor',
    description: 'A current run continues to its end. Losses that wait for confirmation are dropped.',
    answers: jsonResponse('The paused monitor.', MonitorResponse, { paused: shown }),
  },
  {
    id: 'resumeMonitor',
    method: 'post',
    path: '/api/v1/monitors/{monitor_id}/resume',
    ...monitorRight,
    summary: 'Resume a monitor',
    description: 'The next run starts at the next due time. Missed runs are not repeated.',
    answers: jsonResponse('The resumed monitor.', MonitorResponse, { resumed: shown }),
  },
  {
    id: 'runMonitor',
    method: 'post',
    path: '/api/v1/monitors/{monitor_id}/run',
    ...monitorRight,
    isCharged: true,
    summary: 'Run a monitor now',
    description: 'Also works for paused monitors. Does not change the schedule. Costs as much as any run.',
    answers: jsonResponse(
      'The run has started.',
      RunResponse,
      {
        begun: { success: true, run: examples.run },
      },
      { status: 202 },
    ),
    errors: [402],
  },
  {
    id: 'listMonitorRuns',
    method: 'get',
    path: '/api/v1/monitors/{monitor_id}/runs',
    summary: 'List the runs of a monitor',
    isLiveOnly: true,
    description: 'Newest first, including skipped runs with their reason.',
    parameters: [enumParameter('status', runStatuses, 'Only runs in this state.'), ...paging],
    answers: listResponse('A page of runs.', RunList, examples.run),
  },
]);
