import type { Config } from '../../config/config.ts';
import { resultPagesDays } from '../../db/batches/result-pages.ts';
import { batchSizeMax } from '../../schemas/text.ts';

/** What a caller may meet, in numbers: the limit and its value. */
export function limitsOf({ web, retention, checks }: Config): [what: string, value: string][] {
  const rate = web.rateLimitPerMinute;
  return [
    ['Entries of one list', batchSizeMax.toLocaleString('en')],
    ['Length of an address', '2,048 characters'],
    ['Competitors of a query', '10'],
    ['Body of a bulk request', '8 MiB, not compressed'],
    ['Body of any other request', '16 KiB'],
    ['POSTs of an account', rate === 0 ? 'not limited' : `${rate.toLocaleString('en')} a minute`],
    ['GETs of an account', rate === 0 ? 'not limited' : `${(rate * 10).toLocaleString('en')} a minute`],
    ['Single checks at once', '20'],
    ['Exports and results sent at once', '4; the next waits'],
    ['Requests that wait (`?wait=`) at once', '50, of 25 seconds at most'],
    ['One HTTP check with all its hops', `${checks.timeoutMs / 1000} seconds`],
    ['Redirects followed', '10'],
    ['An Idempotency-Key is remembered', '24 hours'],
    ['A webhook is tried', 'for three days, ten times'],
    ['Time to answer a webhook', '15 seconds'],
    ['Results in a webhook', '100, in 64 KiB; else `null`'],
    ['Results are kept', days(retention.days)],
    ['The `results` of a rank are kept', days(resultPagesDays(retention.days))],
    ['Index verdicts and ranks are kept', days(retention.historyDays)],
  ];
}

/** A number of days with its unit: 1,100 days. */
export function days(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'day' : 'days'}`;
}
