import { type BatchView, toBatchView } from './batch-view.ts';

const at = new Date(0);

/** A sample batch for the welcome page. */
export const sampleBatch: BatchView = toBatchView({
  accountId: 0,
  isTest: false,
  batchId: '',
  type: 'http',
  status: 'partial',
  firstRequestId: 0,
  total: 1840,
  skipped: 6,
  successful: 1834,
  failed: 6,
  overviews: 0,
  overviewsRefunded: 0,
  duplicates: 0,
  options: {} as never,
  summary: {
    status_2xx: 1758,
    soft404: 41,
    status_4xx: 76,
    redirected: 132,
  },
  name: null,
  againOf: null,
  reference: 'A shop, 1,840 URLs',
  webhookUrl: null,
  submissionId: null,
  retryOf: null,
  retriedAs: null,
  monitorId: null,
  runId: null,
  createdAt: at,
  startedAt: at,
  completedAt: at,
  canceledAt: null,
  waitingReason: null,
  waitingUntil: null,
  purgedAt: null,
});
