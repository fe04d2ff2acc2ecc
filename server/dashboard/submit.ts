import { createHash } from 'node:crypto';
import { accept, type BatchRequest } from '../../batches/accept.ts';
import { acceptOnce } from '../api/accepted.ts';
import { readRankBatch } from '../api/rank-check.ts';
import { urlBatchReader } from '../api/read-urls.ts';
import { ApiError } from '../http/errors.ts';
import type { BoxEntry } from './box-entries.ts';
import type { DashboardContext } from './context.ts';
import type { Form } from './forms.ts';
import { readBox } from './reading.ts';
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
  if (request.inputs.length === 0) {
    throw new Refusal(422, 'There is nothing to check: no line is a complete address.');
  }
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
  const box = readBox(text);
  if (box.problem) throw new Refusal(422, box.problem);
  const request = await readEntries(context, accountId, form, box.entries);
  return { ...request, duplicates: box.duplicates + request.duplicates };
}

async function readEntries(
  context: DashboardContext,
  accountId: number,
  form: Form,
  entries: BoxEntry[],
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
  entries: BoxEntry[],
): Promise<BatchRequest> {
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
    return await readRankBatch(context, accountId, { queries, dedupe: true });
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
