import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** What a process counts, in a registry of its own so that two services in one process do not mix. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: 'sonde_http_request_duration_seconds',
      help: 'Time to answer a request, by route',
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
      help: 'Pages of search results paid for over all processes, by provider',
      labelNames: ['provider'],
      registers,
    }),
    providerAnswers: new Counter({
      name: 'sonde_provider_answers_total',
      help: 'Checks that a provider answered, over all processes; pages over answers is what an answer costs',
      labelNames: ['provider'],
      registers,
    }),
    jobs: new Gauge({
      name: 'sonde_queue_jobs',
      help: 'Jobs in the queue, and chunks that wait to be jobs, by queue and state',
      labelNames: ['queue', 'state'],
      registers,
    }),
    monitorsDue: new Gauge({
      name: 'sonde_monitors_due',
      help: 'Monitors that are due and whose run has not begun, and those that come to be within a minute',
      labelNames: ['when'],
      registers,
    }),
    monitorsLateness: new Gauge({
      name: 'sonde_monitors_lateness_seconds',
      help: 'For how long the longest due monitor has waited for its run; 0 when none is due',
      registers,
    }),
    isLedgerSound: new Gauge({
      name: 'sonde_ledger_ok',
      help: '1 while the last verification of each account found no fault, otherwise 0; NaN before the first',
      registers,
    }),
    ledgerPassEndedAt: new Gauge({
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
