import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics of a process in a separate registry, so that tests can run two services. */
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
      help: 'Inputs accepted in batches',
      labelNames: ['type'],
      registers,
    }),
    checks: new Counter({
      name: 'sonde_checks_total',
      help: 'Checks finished in this process, by how they ended',
      labelNames: ['type', 'state'],
      registers,
    }),
    providerPages: new Counter({
      name: 'sonde_provider_pages_total',
      help: 'Pages of search results that were paid for, over all processes, by provider',
      labelNames: ['provider'],
      registers,
    }),
    providerAnswers: new Counter({
      name: 'sonde_provider_answers_total',
      help: 'Checks that a provider answered, over all processes; pages divided by answers is the cost of an answer',
      labelNames: ['provider'],
      registers,
    }),
    jobs: new Gauge({
      name: 'sonde_queue_jobs',
      help: 'Jobs in the queue, and chunks that are not enqueued yet, by queue and state',
      labelNames: ['queue', 'state'],
      registers,
    }),
    monitorsDue: new Gauge({
      name: 'sonde_monitors_due',
      help: 'Monitors whose run is due but has not begun, and those due within a minute',
      labelNames: ['when'],
      registers,
    }),
    monitorsLateness: new Gauge({
      name: 'sonde_monitors_lateness_seconds',
      help: 'Seconds for which the most overdue monitor has waited for its run; 0 if none is due',
      registers,
    }),
    isLedgerSound: new Gauge({
      name: 'sonde_ledger_ok',
      help: '1 if no account had a fault when it was last verified, otherwise 0; NaN before the first',
      registers,
    }),
    ledgerPassBeganAt: new Gauge({
      name: 'sonde_ledger_pass_timestamp_seconds',
      help: 'When the last complete verification of all accounts began; 0 before the first',
      registers,
    }),
    ledgerVerifiedAt: new Gauge({
      name: 'sonde_ledger_verified_timestamp_seconds',
      help: 'When the last verification of recently touched accounts began; 0 before the first',
      registers,
    }),
  };
}
