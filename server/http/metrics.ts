import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** Creates metrics in a separate registry, because tests run two services in one process. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: 'sonde_http_request_duration_seconds',
      help: 'Time to respond to a request, by route',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5, 15, 25],
      registers,
    }),
    accepted: new Counter({
      name: 'sonde_accepted_items_total',
      help: 'Inputs in accepted batches',
      labelNames: ['type'],
      registers,
    }),
    checks: new Counter({
      name: 'sonde_checks_total',
      help: 'Finished checks of this process, by outcome',
      labelNames: ['type', 'state'],
      registers,
    }),
    providerPages: new Counter({
      name: 'sonde_provider_pages_total',
      help: 'Pages of search results that all processes have paid for, by provider',
      labelNames: ['provider'],
      registers,
    }),
    providerAnswers: new Counter({
      name: 'sonde_provider_answers_total',
      help: 'Checks of all processes that a provider answered. Pages divided by answers are the pages paid per answer',
      labelNames: ['provider'],
      registers,
    }),
    jobs: new Gauge({
      name: 'sonde_queue_jobs',
      help: 'Jobs in the queue, and chunks that are not yet enqueued, by queue and state',
      labelNames: ['queue', 'state'],
      registers,
    }),
    monitorsDue: new Gauge({
      name: 'sonde_monitors_due',
      help: 'Monitors with a run that is overdue, and monitors with a run that is due within a minute',
      labelNames: ['when'],
      registers,
    }),
    monitorsLateness: new Gauge({
      name: 'sonde_monitors_lateness_seconds',
      help: 'Seconds since the oldest due run of a monitor should have begun; 0 if no run is due',
      registers,
    }),
    isLedgerSound: new Gauge({
      name: 'sonde_ledger_ok',
      help: '1 if the last verification of each account found no fault, otherwise 0; NaN before the first verification',
      registers,
    }),
    ledgerPassBeganAt: new Gauge({
      name: 'sonde_ledger_pass_timestamp_seconds',
      help: 'When the last complete verification of all accounts began; 0 if there was none',
      registers,
    }),
    ledgerVerifiedAt: new Gauge({
      name: 'sonde_ledger_verified_timestamp_seconds',
      help: 'When the last verification of recently changed accounts began; 0 if there was none',
      registers,
    }),
  };
}
