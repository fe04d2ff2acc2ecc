import { sonde } from './sonde.mjs';

// Two pages, every day at six in Berlin. Nothing is charged before the first run; 2 credits then.
const { monitor } = await sonde('monitors', {
  name: 'Shop',
  type: 'http',
  urls: ['https://example.com/', 'https://example.com/missing'],
  schedule: { every: 'day', at: '06:00', timezone: 'Europe/Berlin' },
});
console.log(
  monitor.monitor_id,
  'next run',
  monitor.next_run_at,
  monitor.credits_per_month,
  'credits in 30 days',
);

// What changed so far: nothing, until a second run finds another answer than the first.
const { data } = await sonde(`monitors/${monitor.monitor_id}/changes?per_page=100`);
for (const { at, kind, subject, before, after } of data) console.log(at, kind, subject, before, after);
