import type { Config } from '../../config/config.ts';
import { resultPagesDays } from '../../db/batches/result-pages.ts';
import { counted } from '../../process/counted.ts';
import { batchSizeMax } from '../../schemas/common.ts';

export function listLimits({ web, retention, checks }: Config): [what: string, value: string][] {
  const rate = web.rateLimitPerMinute;
  return [
    ['Entries in a list', batchSizeMax.toLocaleString('en')],
    ['Length of a URL', '2,048 characters'],
    ['Competitors per query', '10'],
    ['Body of a bulk request', '8 MiB, uncompressed'],
    ['Body of any other request', '16 KiB'],
    [
      'Write requests (POST, PATCH, DELETE) per account',
      rate === 0 ? 'unlimited' : `${rate.toLocaleString('en')} a minute`,
    ],
    [
      'Read requests (GET) per account',
      rate === 0 ? 'unlimited' : `${(rate * 10).toLocaleString('en')} a minute`,
    ],
    ['Single checks in flight', '20'],
    ['Exports and results sent at once', '4; further requests wait'],
    ['Requests with `?wait=` at once', '50, each up to 25 seconds'],
    ['One HTTP check, redirects included', `${checks.timeoutMs / 1000} seconds`],
    ['Redirects followed', '10'],
    ['An Idempotency-Key is valid', '24 hours'],
    ['Attempts of a webhook', '10 over three days'],
    ['Time to respond to a webhook', '15 seconds'],
    ['Results in a webhook', '100, up to 64 KiB; otherwise `null`'],
    ['Results are kept', counted(retention.days, 'day')],
    ['The `results` of a rank are kept', counted(resultPagesDays(retention.days), 'day')],
    ['Index verdicts and ranks are kept', counted(retention.historyDays, 'day')],
  ];
}
