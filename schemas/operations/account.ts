import { historyTypes } from '../check-types.ts';
import {
  AllowanceResponse,
  CreditAlertRequest,
  CreditAlertResponse,
  Credits,
  LedgerList,
} from '../credits.ts';
import { DigestRequest, DigestResponse } from '../digest.ts';
import { HistoryList } from '../history.ts';
import * as examples from './examples.ts';
import { creditAlert, digest } from './examples.ts';
import { jsonResponse, listResponse, type Parameter, tableOperations, withTag } from './operation.ts';
import { enumParameter, paging, textParameter } from './parameters.ts';

const historyFilters: readonly Parameter[] = [
  enumParameter('type', historyTypes, 'Index checks (default) or ranks.'),
  textParameter('url', 'Only checks of exactly this URL, as sent.', 'https://example.com/shoes'),
  enumParameter('is_indexed', ['true', 'false'], 'Only checks with this answer.'),
  textParameter('from', 'Start date or time, inclusive.', '2026-11-01'),
  textParameter('to', 'End date or time, exclusive.', '2026-11-20T09:41:05+00:00'),
];

export const accountOperations = withTag('Account', [
  {
    id: 'getCredits',
    method: 'get',
    path: '/api/v1/credits',
    summary: 'Get the balance',
    description: 'Returns the balance in credits.',
    answers: jsonResponse('The balance.', Credits, { balance: { credits: 9998 } }),
  },
  {
    id: 'getAllowance',
    method: 'get',
    path: '/api/v1/credits/allowance',
    summary: 'Get the allowance for unbilled work',
    description:
      'Checks without an answer, invalid entries, webhook tests, resent deliveries and sitemaps cost no credit. They use ' +
      'the allowance. The allowance refills with time, and grows with the credits that you pay for answers.',
    answers: jsonResponse('The allowance.', AllowanceResponse, { quiet: examples.allowance }),
  },
  {
    id: 'getCreditAlert',
    method: 'get',
    path: '/api/v1/credits/alert',
    summary: 'Get the low-credit alert',
    isLiveOnly: true,
    description:
      'Returns the threshold, the receiver, and since when the balance has been below the threshold.',
    answers: jsonResponse('The alert.', CreditAlertResponse, { above: creditAlert }),
  },
  {
    id: 'changeCreditAlert',
    method: 'patch',
    path: '/api/v1/credits/alert',
    unbilledRows: 1,
    summary: 'Change the low-credit alert',
    description:
      'Within 30 seconds after the balance falls below `threshold`, we send `credits.low` to `webhook_url`, and an email ' +
      'to each owner with a confirmed email address. ' +
      'Another alert is sent only after the balance has risen to the threshold and falls below it again. ' +
      'Missing fields keep their value. Null clears them.',
    scope: 'manage',
    isLiveOnly: true,
    body: {
      schema: CreditAlertRequest,
      examples: { below: { threshold: 500, webhook_url: 'https://example.com/hooks/sonde' } },
    },
    answers: jsonResponse('The changed alert.', CreditAlertResponse, { changed: creditAlert }),
  },
  {
    id: 'getDigest',
    method: 'get',
    path: '/api/v1/digest',
    summary: 'Get the schedule of monitor emails',
    isLiveOnly: true,
    description: 'Emails are sent when runs end, or once a day at a local time.',
    answers: jsonResponse('The setting.', DigestResponse, { daily: digest }),
  },
  {
    id: 'changeDigest',
    method: 'patch',
    path: '/api/v1/digest',
    unbilledRows: 1,
    summary: 'Change the schedule of monitor emails',
    description:
      'Emails about monitors with `notify.email` go to each owner with a confirmed email address. With `day`, one email a ' +
      'day reports everything since the previous email. Pending reports are sent at the new time.',
    scope: 'manage',
    isLiveOnly: true,
    body: {
      schema: DigestRequest,
      examples: { daily: { every: 'day', at: '08:00', timezone: 'Europe/Berlin' } },
    },
    answers: jsonResponse('The changed setting.', DigestResponse, { changed: digest }),
  },
  {
    id: 'listLedger',
    method: 'get',
    path: '/api/v1/credits/ledger',
    summary: 'List ledger entries',
    isLiveOnly: true,
    description:
      'All changes of the balance, newest first, each with the new balance. `entry_no` counts from 1 without gaps.',
    parameters: paging,
    answers: listResponse('A page of entries.', LedgerList, examples.ledgerEntry),
  },
  {
    id: 'listHistory',
    method: 'get',
    path: '/api/v1/history',
    summary: 'List earlier index checks or ranks',
    isLiveOnly: true,
    description: 'Newest first. The history is stored longer than the results of batches.',
    parameters: [...historyFilters, ...paging],
    answers: listResponse('A page of checks.', HistoryList, examples.historyEntry),
  },
  ...tableOperations({
    id: 'exportHistory',
    path: '/api/v1/history',
    summary: 'Get earlier index checks or ranks',
    isLiveOnly: true,
    columns:
      'Newest first. Ranks have a column per competitor, which is empty after the results of the batch have expired.',
    parameters: [
      ...historyFilters,
      textParameter('q', 'Only checks with this text in the URL, keyword or target. Ignores case.', 'shoes'),
    ],
    example: 'checked_at,keyword,target_url,rank\n2026-11-20T09:41:05+00:00,running shoes,example.com,7\n',
  }),
]);
