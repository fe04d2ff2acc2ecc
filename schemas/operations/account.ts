import { historyTypes } from '../check-types.ts';
import { AllowanceShown, CreditAlertRequest, CreditAlertShown, Credits, LedgerList } from '../credits.ts';
import { DigestRequest, DigestShown } from '../digest.ts';
import { HistoryList } from '../history.ts';
import { creditAlert, digest } from './credit-examples.ts';
import * as examples from './examples.ts';
import { json, type Operation } from './operation.ts';
import { paging, text, word } from './parameters.ts';

export const accountOperations: Operation[] = [
  {
    id: 'getCredits',
    method: 'get',
    path: '/api/v1/credits',
    tag: 'Account',
    summary: 'Get the balance',
    description: 'Exactly one number.',
    answers: { 200: json('The balance.', Credits, { balance: { credits: 9998 } }) },
  },
  {
    id: 'getAllowance',
    method: 'get',
    path: '/api/v1/credits/allowance',
    tag: 'Account',
    summary: 'Get the allowance for unbilled work',
    description:
      'Checks that end without an answer, entries that do not fit, webhook tests, deliveries sent again and sitemaps ' +
      'cost no credit and count against it. It refills with time, and grows with the credits paid for answers.',
    answers: { 200: json('The allowance.', AllowanceShown, { quiet: examples.allowance }) },
  },
  {
    id: 'getCreditAlert',
    method: 'get',
    path: '/api/v1/credits/alert',
    tag: 'Account',
    summary: 'Get when low credits are told',
    isLiveOnly: true,
    description: 'Below which balance, where, and whether it is below now.',
    answers: { 200: json('The alert.', CreditAlertShown, { above: creditAlert }) },
  },
  {
    id: 'changeCreditAlert',
    method: 'patch',
    path: '/api/v1/credits/alert',
    tag: 'Account',
    unbilledRows: 1,
    summary: 'Change when low credits are told',
    description:
      'When the balance falls below `threshold`, `credits.low` is sent to `webhook_url`, and a mail to each owner whose ' +
      'address is confirmed: within half a minute, and once until the balance has risen to it again. What is not given ' +
      'stays; null clears it.',
    scope: 'manage',
    isLiveOnly: true,
    body: {
      schema: CreditAlertRequest,
      examples: { below: { threshold: 500, webhook_url: 'https://example.com/hooks/sonde' } },
    },
    answers: {
      200: json('The alert as it is then.', CreditAlertShown, { changed: creditAlert }, [
        'Idempotent-Replayed',
      ]),
    },
  },
  {
    id: 'getDigest',
    method: 'get',
    path: '/api/v1/digest',
    tag: 'Account',
    summary: 'Get when monitors are told by mail',
    isLiveOnly: true,
    description: 'With each run, or once a day: at what time, and by the clock of which zone.',
    answers: { 200: json('The setting.', DigestShown, { daily: digest }) },
  },
  {
    id: 'changeDigest',
    method: 'patch',
    path: '/api/v1/digest',
    tag: 'Account',
    unbilledRows: 1,
    summary: 'Change when monitors are told by mail',
    description:
      'Mails about monitors with `notify.email` go to each owner whose address is confirmed. With `day` one mail tells ' +
      'of all that was found since the one before. What is gathered already is told at the new time.',
    scope: 'manage',
    isLiveOnly: true,
    body: {
      schema: DigestRequest,
      examples: { daily: { every: 'day', at: '08:00', timezone: 'Europe/Berlin' } },
    },
    answers: {
      200: json('The setting as it is then.', DigestShown, { changed: digest }, ['Idempotent-Replayed']),
    },
  },
  {
    id: 'listLedger',
    method: 'get',
    path: '/api/v1/credits/ledger',
    tag: 'Account',
    summary: 'List every movement of credits',
    isLiveOnly: true,
    description: 'Newest first, numbered without gaps, each with the balance after it.',
    parameters: paging,
    answers: {
      200: json('A page of entries.', LedgerList, { page: examples.listOf(examples.ledgerEntry) }, ['Link']),
    },
  },
  {
    id: 'listHistory',
    method: 'get',
    path: '/api/v1/history',
    tag: 'Account',
    summary: 'List index verdicts or ranks over time',
    isLiveOnly: true,
    description: 'Newest first. Kept longer than results.',
    parameters: [
      word('type', historyTypes, 'Index verdicts (the default) or ranks.'),
      text('url', 'Exactly this URL, as it was sent.', 'https://example.com/shoes'),
      word('is_indexed', ['true', 'false'], 'Only this verdict.'),
      text('from', 'Not before this day or moment.', '2026-11-01'),
      text('to', 'Before this day or moment.', '2026-11-20T09:41:05+00:00'),
      ...paging,
    ],
    answers: {
      200: json('A page of checks.', HistoryList, { page: examples.listOf(examples.historyEntry) }, ['Link']),
    },
  },
];
