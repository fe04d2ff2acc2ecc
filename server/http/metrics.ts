import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** Creates metrics in a separate registry, because tests run two services in one process. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  return {
    registry,
    requests: new Histogram({
      name: 'sonde_http_request_duration_seconds',
      help: 'Time to respond to a request, by route',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5, 15, 25],
      registers,
    }),
    accepted: counter('sonde_accepted_items_total', 'Inputs in accepted batches', ['type']),
    checks: counter('sonde_checks_total', 'Finished checks of this process, by outcome', ['type', 'state']),
    providerPages: counter(
      'sonde_provider_pages_total',
      'Pages of search results that all processes have paid for, by provider',
      ['provider'],
    ),
    providerAnswers: counter(
      'sonde_provider_answers_total',
      'Checks of all processes that a provider answered. Pages divided by answers are the pages paid per answer',
      ['provider'],
    ),
    jobs: gauge(
      'sonde_queue_jobs',
      'Jobs in the queue, and chunks that are not yet enqueued, by queue and state',
      ['queue', 'state'],
    ),
    monitorsDue: gauge(
      'sonde_monitors_due',
      'Monitors with a run that is overdue, and monitors with a run that is due within a minute',
      ['when'],
    ),
    monitorsLateness: gauge(
      'sonde_monitors_lateness_seconds',
      'Seconds since the oldest due run of a monitor should have begun; 0 if no run is due',
    ),
    isLedgerSound: gauge(
      'sonde_ledger_ok',
      '1 if the last verification of each account found no fault, otherwise 0; NaN before the first verification',
    ),
    ledgerPassBeganAt: gauge(
      'sonde_ledger_pass_timestamp_seconds',
      'When the last complete verification of all accounts began; 0 if there was none',
    ),
    ledgerVerifiedAt: gauge(
      'sonde_ledger_verified_timestamp_seconds',
      'When the last verification of recently changed accounts began; 0 if there was none',
    ),
  };
}
