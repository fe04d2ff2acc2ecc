import { createHash } from 'node:crypto';
import { HttpStatusBulkRequest, IndexBulkRequest } from '../../schemas/batch.ts';
import { KeywordRequest } from '../../schemas/keyword.ts';
import { acceptBatch, type BatchRequest } from '../api/accept-batch.ts';
import { readUrlBatch } from '../api/accept-urls.ts';
import { inputsOf, readQueries } from '../api/queries.ts';
import { ApiError } from '../http/errors.ts';
import { actOnce } from '../http/idempotency.ts';
import { validatorFor } from '../http/validate.ts';
import type { BoxEntry } from './box-entries.ts';
import type { DashboardContext } from './context.ts';
import type { Form } from './forms.ts';
import { readBox } from './reading.ts';
import { Refusal } from './refusal.ts';

const readHttp = validatorFor(HttpStatusBulkRequest, { list: 'urls', areEntriesJudgedLater: true });
const readIndex = validatorFor(IndexBulkRequest, { list: 'urls', areEntriesJudgedLater: true });
const readRanks = validatorFor(KeywordRequest, { list: 'queries', areEntriesJudgedLater: true });

/**
 * Starts the check a button stands for, through the very modules of the API: entries that do not fit are skipped and not
 * charged, equal ones are checked once. A form that is sent twice makes one batch, whose id is answered.
 */
export async function submit(
  context: DashboardContext,
  accountId: number,
  form: Form,
  text: string,
): Promise<string> {
  const request = readRequest(context, accountId, form, text);
  if (request.inputs.length === 0) {
    throw new Refusal(422, 'There is nothing to check: no line is a complete address.');
  }
  const print = createHash('sha256').update(JSON.stringify(request)).digest();
  const key = `form:${form
    .text('once')
    .slice(0, 64)
    .replaceAll(/[^\w-]/g, '')}:${print.toString('base64url')}`;
  const { body } = await actOnce(context, { accountId, key }, print, (claim) =>
    acceptBatch(context, request, claim),
  );
  return JSON.parse(body).batch_id;
}

function readRequest(context: DashboardContext, accountId: number, form: Form, text: string): BatchRequest {
  const box = readBox(text);
  if (box.problem) throw new Refusal(422, box.problem);
  const request = readEntries(context, accountId, form, box.entries);
  return { ...request, duplicates: box.duplicates + request.duplicates };
}

function readEntries(
  context: DashboardContext,
  accountId: number,
  form: Form,
  entries: BoxEntry[],
): BatchRequest {
  const list = { urls: entries.map((entry) => entry.text), dedupe: true, on_invalid: 'skip' as const };
  switch (form.text('check')) {
    case 'http': {
      const options = { follow_redirects: true };
      return readUrlBatch(context, accountId, { type: 'http', body: readHttp(list), options });
    }
    case 'index':
      return readUrlBatch(context, accountId, { type: 'index', body: readIndex(list), options: {} });
    case 'ranks':
      return readRankRequest(context, accountId, form, entries);
    default:
      throw new Refusal(422, 'Choose what to check.');
  }
}

function readRankRequest(
  context: DashboardContext,
  accountId: number,
  form: Form,
  entries: BoxEntry[],
): BatchRequest {
  const target = form.text('target');
  if (!target && entries.some(({ columns }) => !targetOf(columns))) {
    throw new Refusal(422, 'Name the site or page whose rank you want, such as example.com.', {
      field: 'target',
    });
  }
  const queries = entries.map(({ text: keyword, columns }) => ({
    keyword,
    url: targetOf(columns) || target,
    country: (columns.country || form.text('country') || 'US').toUpperCase(),
    language: columns.language || form.text('language') || 'en',
    end_page: Number(form.text('pages')) || 10,
    brd_mobile: (columns.device || form.text('device')) === 'mobile',
    ...(columns.tag ? { tag: columns.tag } : {}),
  }));
  try {
    const read = readQueries(readRanks({ queries }).queries, {
      search: context.search,
      dedupe: true,
      onInvalid: 'reject',
    });
    const { valid, skipped, duplicates } = read;
    const request = { accountId, type: 'keyword' as const, inputs: inputsOf(valid), skipped, duplicates };
    return { ...request, options: {}, reference: null, webhookUrl: null };
  } catch (error) {
    throw inLines(error, entries);
  }
}

function targetOf(columns: Record<string, string>): string {
  return columns.url || columns.target || columns.target_url || columns.domain || '';
}

/** A fault of the third query is one of the line it stands in, to whoever looks at a box. */
function inLines(error: unknown, entries: Array<{ line: number }>): unknown {
  const [first] = Object.entries(error instanceof ApiError ? (error.extras.errors ?? {}) : {});
  const match = /^queries\.(\d+)\.(\w+)$/.exec(first?.[0] ?? '');
  if (!match || !first) return error;
  const line = entries[Number(match[1])]?.line ?? 1;
  const field = match[2] === 'url' ? 'site or page' : match[2]?.replace('brd_mobile', 'device');
  return new Refusal(422, `Line ${line}, ${field}: ${first[1][0]}`);
}
