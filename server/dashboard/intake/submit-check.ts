import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { BatchRequest } from '../../../batches/accept.ts';
import type { Authorization } from '../../../db/accounts/rights.ts';
import type { ListEntry } from '../../../lists/list.ts';
import { ApiError } from '../../../process/api-error.ts';
import { batchSizeMax } from '../../../schemas/common.ts';
import { acceptOnce } from '../../api/accepted.ts';
import { readRankBatch } from '../../api/rank-check.ts';
import { createUrlBatchReader } from '../../api/read-urls.ts';
import type { IdempotencyKey } from '../../http/idempotency.ts';
import type { DashboardContext } from '../context.ts';
import type { Form } from '../forms.ts';
import { Refusal } from '../refusal.ts';
import { readStartedCheck } from './checks.ts';
import type { Intake } from './intake.ts';
import { isTargetMissing, toRankQueries } from './rank-queries.ts';

const readUrls = { http: createUrlBatchReader('http'), index: createUrlBatchReader('index') };

/**
 * Starts a check through the functions of the API. Invalid entries are skipped and not charged; duplicates are checked
 * once. A long list becomes several batches of one submission: either all start or none. A form that is sent twice
 * starts only one check. Returns the path of the new batch or submission.
 */
export async function submitCheck(
  context: DashboardContext,
  by: Authorization,
  form: Form,
  intake: Intake,
): Promise<string> {
  const { accountId } = by;
  requireClearList(intake, form);
  const requests = await readRequests(context, accountId, form, intake);
  if (requests.every(({ inputs }) => inputs.length === 0)) throw noValidEntries();
  const fingerprint = await fingerprintOf(requests);
  const key = createFormKey(accountId, form, fingerprint);
  const submissionId = requests.length > 1 ? randomUUID() : null;
  const { reply } = await acceptOnce(context, context, by, key, {
    read: async () => requests.map((request) => ({ ...request, submissionId })),
    toReply: ([first]) => ({
      status: 202,
      body: { location: submissionId ? `/submissions/${submissionId}` : `/batches/${first?.batchId}` },
    }),
  });
  return JSON.parse(reply.body).location;
}

/** Returns the idempotency key of a form. The key includes a digest of the form's content. */
export function createFormKey(accountId: number, form: Form, fingerprint: Buffer): IdempotencyKey {
  const once = form
    .text('once')
    .slice(0, 64)
    .replaceAll(/[^\w-]/g, '');
  return { accountId, key: `form:${once}:${fingerprint.toString('base64url')}`, fingerprint };
}

/** Splits the list into requests of at most one batch each. */
async function readRequests(
  context: DashboardContext,
  accountId: number,
  form: Form,
  { entries, duplicates }: Intake,
): Promise<BatchRequest[]> {
  const requests: BatchRequest[] = [];
  for (let at = 0; at < entries.length; at += batchSizeMax) {
    const request = await readEntries(context, accountId, form, entries.slice(at, at + batchSizeMax));
    requests.push({
      ...request,
      name: readFormName(form),
      duplicates: request.duplicates + (at === 0 ? duplicates : 0),
    });
  }
  return requests;
}

const nameLengthMax = 255;

/** Reads the name field; null if it is empty. */
export function readFormName(form: Form): string | null {
  return form.text('name').slice(0, nameLengthMax).toWellFormed().trim() || null;
}

/** Hashes the requests. Yields to other work between the batches of a long list. */
async function fingerprintOf(requests: BatchRequest[]): Promise<Buffer> {
  const hash = createHash('sha256');
  for (const request of requests) {
    hash.update(JSON.stringify(request));
    if (requests.length > 1) await setImmediate();
  }
  return hash.digest();
}

/**
 * Throws a 422 if the list is unreadable. Also throws a 422 if the list is ambiguous and the user has not confirmed how
 * it is read.
 */
export function requireClearList({ list, problem, understood }: Intake, form: Form): void {
  if (problem) throw new Refusal(422, problem);
  if (!list) return;
  if (list.question) throw new Refusal(422, 'Choose how to read this list. You were not charged.');
  if (list.addressLike > 0 && form.text('as_keywords') !== 'yes') {
    throw new Refusal(
      422,
      'Some keywords look like URLs. Confirm below that they are keywords, or check them as URLs.',
    );
  }
  if (understood !== '' && form.text('understood') !== understood) {
    throw new Refusal(422, 'Review below how this table is read, then submit again. You were not charged.');
  }
}

/** Turns entries into the request of a batch. Skips invalid entries. */
export async function readEntries(
  context: DashboardContext,
  accountId: number,
  form: Form,
  entries: ListEntry[],
): Promise<BatchRequest> {
  const list = { urls: entries.map((entry) => entry.text), dedupe: true, on_invalid: 'skip' };
  const check = readStartedCheck(form);
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
  if (isTargetMissing(entries, form)) {
    throw new Refusal(422, 'Enter the site or page to find, such as example.com.', {
      field: 'target',
    });
  }
  const queries = toRankQueries(entries, form);
  try {
    return await readRankBatch(context, accountId, { queries, dedupe: true, on_invalid: 'skip' });
  } catch (error) {
    // A single invalid query is rejected instead of skipped; the form already shows its problem.
    if (error instanceof ApiError && queries.length === 1) throw noValidEntries();
    throw error;
  }
}

export function noValidEntries(): Refusal {
  return new Refusal(422, 'No valid entries to check. See the problems below.');
}
