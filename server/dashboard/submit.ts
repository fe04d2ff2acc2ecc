import { createHash } from 'node:crypto';
import { accept, type BatchRequest } from '../../batches/accept.ts';
import type { ListEntry } from '../../lists/entries.ts';
import { acceptOnce } from '../api/accepted.ts';
import { readRankBatch } from '../api/rank-check.ts';
import { urlBatchReader } from '../api/read-urls.ts';
import { ApiError } from '../http/errors.ts';
import { type Box, readBox } from './box.ts';
import type { DashboardContext } from './context.ts';
import type { Form } from './forms.ts';
import { lacksTarget, rankQueries } from './rank-queries.ts';
import { Refusal } from './refusal.ts';

const readUrls = { http: urlBatchReader('http'), index: urlBatchReader('index') };

/**
 * Starts the check a button stands for, through the very modules of the API: entries that do not fit are
 * skipped and not charged, equal ones are checked once. A form that is sent twice makes one batch, whose id
 * is answered.
 */
export async function submit(
  context: DashboardContext,
  accountId: number,
  form: Form,
  text: string,
): Promise<string> {
  const request = await readRequest(context, accountId, form, text);
  if (request.inputs.length === 0) throw nothingToCheck();
  const fingerprint = createHash('sha256').update(JSON.stringify(request)).digest();
  const once = form
    .text('once')
    .slice(0, 64)
    .replaceAll(/[^\w-]/g, '');
  const key = { accountId, key: `form:${once}:${fingerprint.toString('base64url')}`, fingerprint };
  const { reply } = await acceptOnce(context, key, accept(context, request));
  return JSON.parse(reply.body).batch_id;
}

async function readRequest(
  context: DashboardContext,
  accountId: number,
  form: Form,
  text: string,
): Promise<BatchRequest> {
  const box = await readBox(accountId, text, form);
  refuseUnclear(box, form);
  if (box.entries.length === 0) throw nothingToCheck();
  const request = await readEntries(context, accountId, form, box.entries);
  return { ...request, duplicates: box.duplicates + request.duplicates };
}

/** Nothing is charged that was not understood, nor before it was shown. */
function refuseUnclear({ list, problem, understood }: Box, form: Form): void {
  if (problem) throw new Refusal(422, problem);
  if (!list) return;
  if (list.question) throw new Refusal(422, 'Say below how this list is meant. Nothing was charged.');
  if (list.addressLike > 0 && form.text('as_keywords') !== 'yes') {
    throw new Refusal(
      422,
      'Some of these keywords look like addresses. Say below that they are meant, or check them as addresses.',
    );
  }
  if (understood !== '' && form.text('understood') !== understood) {
    throw new Refusal(
      422,
      'Nothing was charged yet: look below at what is read from this table, and press again.',
    );
  }
}

async function readEntries(
  context: DashboardContext,
  accountId: number,
  form: Form,
  entries: ListEntry[],
): Promise<BatchRequest> {
  const list = { urls: entries.map((entry) => entry.text), dedupe: true, on_invalid: 'skip' };
  const check = form.text('check');
  switch (check) {
    case 'http':
    case 'index':
      return readUrls[check](context, accountId, list);
    case 'ranks':
      return readRankRequest(context, accountId, form, entries);
    default:
      throw new Refusal(422, 'Choose what to check.');
  }
}

async function readRankRequest(
  context: DashboardContext,
  accountId: number,
  form: Form,
  entries: ListEntry[],
): Promise<BatchRequest> {
  if (lacksTarget(entries, form)) {
    throw new Refusal(422, 'Name the site or page whose rank you want, such as example.com.', {
      field: 'target',
    });
  }
  const queries = rankQueries(entries, form);
  try {
    return await readRankBatch(context, accountId, { queries, dedupe: true, on_invalid: 'skip' });
  } catch (error) {
    // A single query that does not fit has no place to keep; what is wrong with it is said under the box.
    if (error instanceof ApiError && queries.length === 1) throw nothingToCheck();
    throw error;
  }
}

function nothingToCheck(): Refusal {
  return new Refusal(422, 'There is nothing to check: no line fits. What is wrong is said below.');
}
