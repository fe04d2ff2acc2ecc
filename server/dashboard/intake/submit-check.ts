import { createHash, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { BatchRequest } from '../../../batches/accept.ts';
import type { Authorization } from '../../../db/accounts/rights.ts';
import { getDefaultOptions } from '../../../schemas/check-types.ts';
import { batchSizeMax } from '../../../schemas/common.ts';
import { acceptOnce } from '../../api/accepted.ts';
import type { IdempotencyKey } from '../../http/idempotency.ts';
import type { DashboardContext } from '../context.ts';
import type { Form } from '../forms.ts';
import { Refusal } from '../refusal.ts';
import { type Check, readStartedCheck, readSwitch, toCheckType } from './checks.ts';
import type { Intake } from './intake.ts';
import { isTargetMissing } from './rank-queries.ts';
import { readEntries, type ValidatedEntries } from './read-entries.ts';

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
  const check = readStartedCheck(form) ?? readSwitch(form);
  const read = await readValidList(context, check, form, intake);
  const requests = toRequests(accountId, check, read, readFormName(form));
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

/** Splits the list into requests of at most one batch each. The first one has the duplicates of the whole list. */
function toRequests(
  accountId: number,
  check: Check,
  { valid, skipped, entries, duplicates }: ValidatedEntries,
  name: string | null,
): BatchRequest[] {
  const type = toCheckType(check);
  const options = getDefaultOptions(type);
  const common = { accountId, type, name, options, reference: null, webhookUrl: null };
  const toBatch = ({ position }: { position: number }) => Math.floor(position / batchSizeMax);
  const [inputs, failed] = [Map.groupBy(valid, toBatch), Map.groupBy(skipped, toBatch)];
  return Array.from({ length: Math.ceil(entries.length / batchSizeMax) }, (_, nth) => ({
    ...common,
    inputs: toPositionsInBatch(inputs.get(nth) ?? []),
    skipped: toPositionsInBatch(failed.get(nth) ?? []),
    duplicates: nth === 0 ? duplicates : 0,
  }));
}

function toPositionsInBatch<E extends { position: number }>(entries: E[]): E[] {
  return entries.map((entry) => ({ ...entry, position: entry.position % batchSizeMax }));
}

const nameLengthMax = 255;

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

/** Reads the list of a form that starts a check. Throws a 422 if the form is incomplete or no entry is valid. */
export async function readValidList(
  context: DashboardContext,
  check: Check,
  form: Form,
  intake: Intake,
): Promise<ValidatedEntries> {
  requireClearList(intake, form);
  const sent = intake.list?.entries ?? [];
  if (check === 'ranks' && isTargetMissing(sent, form)) {
    throw new Refusal(422, 'Enter the site or page to find, such as example.com.', { field: 'target' });
  }
  const read = await readEntries(context, check, sent, form);
  if (read.valid.length === 0) throw new Refusal(422, 'No valid entries to check. See the problems below.');
  return read;
}

/**
 * Throws a 422 if the list is unreadable. Also throws a 422 if the list is ambiguous and the user has not confirmed how
 * it is read.
 */
function requireClearList({ list, problem, understood }: Intake, form: Form): void {
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
