import { type BatchView, toBatchView } from './batch-view.ts';

const at = new Date(0);

export const sampleBatch: BatchView = toBatchView({
  batchId: '',
  type: 'http',
  status: 'partial',
  total: 1840,
  skipped: 6,
  successful: 1834,
  failed: 6,
  summary: {
    status_2xx: 1758,
    soft404: 41,
    status_4xx: 76,
    redirected: 132,
  },
  name: null,
  reference: 'A shop, 1,840 URLs',
  retriedAs: null,
  createdAt: at,
  completedAt: at,
  canceledAt: null,
});
