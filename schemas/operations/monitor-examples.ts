export const monitorRequest = {
  name: 'Shop',
  type: 'http',
  urls: ['https://example.com/', 'https://example.com/shoes'],
  schedule: { every: 'day', at: '06:00', timezone: 'Europe/Berlin' },
  notify: { when: 'changed', webhook_url: 'https://example.com/hooks/sonde' },
};

export const rankMonitorRequest = {
  name: 'Ranks',
  type: 'keyword',
  queries: [{ url: 'example.com', keyword: 'running shoes' }],
  schedule: { every: 'week', on: ['mon', 'thu'] },
};

export const sitemapMonitorRequest = {
  name: 'Everything',
  type: 'index',
  sitemap_url: 'https://example.com/sitemap.xml',
  schedule: { every: 'month', on: [1, 15, -1] },
  stop_when: 'indexed',
};

export const monitor = {
  monitor_id: '7c9f1d1e-52a4-4a52-8b7e-0d3c1b0a9f21',
  name: 'Shop',
  type: 'http',
  sitemap_url: null,
  schedule: { every: 'day', at: '06:00', on: null, timezone: 'Europe/Berlin' },
  stop_when: null,
  notify: { when: 'changed', webhook_url: 'https://example.com/hooks/sonde', email: true },
  rank_threshold: 3,
  confirm_losses: true,
  subjects_max: 10_000,
  reference: null,
  status: 'active',
  paused_reason: null,
  subjects: 2,
  next_run_at: '2026-11-21T05:00:00+00:00',
  last_run_at: null,
  credits_per_run: 2,
  credits_per_month: 60,
  created_at: '2026-11-20T09:41:05+00:00',
};

export const run = {
  run_id: '4f2a8b6c-1d3e-4f50-9a7b-6c5d4e3f2a10',
  monitor_id: monitor.monitor_id,
  kind: 'check',
  confirms: null,
  due_at: '2026-11-21T05:00:00+00:00',
  late: false,
  status: 'completed',
  reason: null,
  batch_id: '0e0bd036-ac62-4143-9dfa-84aa98ff32d4',
  batch_ids: ['0e0bd036-ac62-4143-9dfa-84aa98ff32d4'],
  subjects: 2,
  checked: 2,
  failed: 0,
  changes: 0,
  credits_charged: 2,
  left_out: 0,
  sitemap_doubtful: false,
  created_at: '2026-11-21T05:00:03+00:00',
  started_at: '2026-11-21T05:00:03+00:00',
  finished_at: '2026-11-21T05:00:05+00:00',
};
