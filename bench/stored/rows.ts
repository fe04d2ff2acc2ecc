import { hash, randomUUID } from 'node:crypto';
import { type CheckType, checkTypeEntry } from '../../schemas/check-types.ts';
import { line } from './copy.ts';
import { hasFailed, type Past, type StoredBatch, type StoredCheck } from './past.ts';

/** Which ids are wanted: from the first to before the second. */
interface Range {
  from: number;
  to: number;
}

export const itemColumns = [
  ...['account_id', 'request_id', 'batch_id', 'position', 'type', 'state', 'input', 'outcome', 'error'],
  'checked_at',
];
export const chunkColumns = [
  ...['account_id', 'chunk_id', 'batch_id', 'type', 'ordinal', 'inputs', 'size', 'settled', 'job_id'],
  'created_at',
];
export const batchColumns = [
  ...[
    'account_id',
    'batch_id',
    'type',
    'status',
    'total',
    'successful',
    'failed',
    'first_request_id',
    'summary',
  ],
  ...['created_at', 'started_at', 'completed_at'],
];
export const historyColumns = [
  ...[
    'account_id',
    'request_id',
    'batch_id',
    'type',
    'state',
    'error',
    'input',
    'series',
    'is_indexed',
    'rank',
  ],
  'checked_at',
];

/** The items in a range of ids. */
export function* itemLines(past: Past, range: Range): Generator<string> {
  for (const batch of within(past.batches, range)) {
    const { accountId, batchId, type, firstId, total } = batch;
    for (let n = 0; n < total; n++) {
      if (!isIn(range, firstId + n)) continue;
      const at = recordedAt(batch, n);
      const input = inputOf(batch, n);
      yield hasFailed(n)
        ? line(accountId, firstId + n, batchId, n, type, 'failed', input, null, 'checker_unreachable', at)
        : line(
            accountId,
            firstId + n,
            batchId,
            n,
            type,
            'success',
            input,
            outcomes[type](batch, n),
            null,
            at,
          );
    }
  }
  for (const check of past.checks.filter(({ requestId }) => isIn(range, requestId))) {
    const of = batchLike(check);
    const at = check.at.toISOString();
    const [id, outcome] = [check.requestId, outcomes.http(of, 0)];
    yield line(check.accountId, id, null, null, 'http', 'success', inputOf(of, 0), outcome, null, at);
  }
}

/** The chunks in a range of ids, all of them settled. */
export function* chunkLines(past: Past, range: Range): Generator<string> {
  for (const batch of within(past.batches, range)) {
    const { accountId, batchId, type, firstId, total } = batch;
    const at = batch.at.toISOString();
    const { inputsPerJob } = checkTypeEntry(type);
    for (let first = 0, ordinal = 0; first < total; first += inputsPerJob, ordinal++) {
      if (!isIn(range, firstId + first)) continue;
      const size = Math.min(inputsPerJob, total - first);
      const inputs = inputsOf(batch, first, size);
      yield line(accountId, firstId + first, batchId, type, ordinal, inputs, size, size, randomUUID(), at);
    }
  }
  for (const check of past.checks.filter(({ requestId }) => isIn(range, requestId))) {
    const inputs = `[{"request_id":${check.requestId},"position":null,"input":${inputOf(batchLike(check), 0)}}]`;
    yield line(check.accountId, check.requestId, null, 'http', 0, inputs, 1, 1, null, check.at.toISOString());
  }
}

/** The inputs of a chunk as its row has them. */
export function inputsOf(batch: StoredBatch, first: number, size: number): string {
  const entries = Array.from({ length: size }, (_, n) => {
    const position = first + n;
    return `{"request_id":${batch.firstId + position},"position":${position},"input":${inputOf(batch, position)}}`;
  });
  return `[${entries.join(',')}]`;
}

export function* batchLines({ batches }: Past): Generator<string> {
  for (const { accountId, batchId, type, total, failed, firstId, at } of batches) {
    const status = failed > 0 ? 'partial' : 'completed';
    const successful = total - failed;
    const [time, ended] = [at.toISOString(), recordedAt({ at }, total - 1)];
    const summary = JSON.stringify({ [words[type]]: successful });
    yield line(
      accountId,
      batchId,
      type,
      status,
      total,
      successful,
      failed,
      firstId,
      summary,
      time,
      time,
      ended,
    );
  }
}

/** The verdicts and ranks of what keeps them, of moments in a range. */
export function* historyLines({ batches }: Past, range: Range): Generator<string> {
  for (const batch of batches) {
    const { accountId, batchId, type, firstId, total } = batch;
    if (!checkTypeEntry(type).keepsHistory) continue;
    for (let n = 0; n < total; n++) {
      const at = recordedAt(batch, n);
      if (!isIn(range, Date.parse(at) * 10)) continue;
      const series = `\\\\x${hash('sha256', seriesOf(batch, n))}`;
      const verdict = type === 'index' && !hasFailed(n) ? 't' : null;
      const rank = type === 'keyword' && !hasFailed(n) ? rankOf(n) : null;
      const [state, error] = hasFailed(n) ? ['failed', 'checker_unreachable'] : ['success', null];
      const [id, input] = [firstId + n, inputOf(batch, n)];
      yield line(accountId, id, batchId, type, state, error, input, series, verdict, rank, at);
    }
  }
}

/** Fifty are recorded at a time, a second each. */
function recordedAt({ at }: Pick<StoredBatch, 'at'>, n: number): string {
  return new Date(at.getTime() + Math.floor(n / 50) * 1000).toISOString();
}

function isIn({ from, to }: Range, id: number): boolean {
  return id >= from && id < to;
}

function within(batches: StoredBatch[], { from, to }: Range): StoredBatch[] {
  return batches.filter(({ firstId, total }) => firstId + total > from && firstId < to);
}

function batchLike({ accountId, requestId, at }: StoredCheck): StoredBatch {
  return { accountId, batchId: '', type: 'http', total: 1, failed: 0, firstId: requestId, at };
}

/** The same addresses come again and again, as with whoever looks at his site every week. */
function urlOf({ accountId, firstId }: StoredBatch, n: number): string {
  return `https://shop-${accountId}.example/articles/${(firstId + n) % 20_000}/a-name-of-ordinary-length`;
}

function inputOf(batch: StoredBatch, n: number): string {
  if (batch.type !== 'keyword') return `{"url":"${urlOf(batch, n)}"}`;
  return (
    `{"keyword":"${keywordOf(batch, n)}","target_url":"shop-${batch.accountId}.example","country":"US",` +
    `"language":"en","device":"desktop","start_page":1,"end_page":10,"match":"site","tag":null}`
  );
}

function seriesOf(batch: StoredBatch, n: number): string {
  if (batch.type !== 'keyword') return `["${urlOf(batch, n)}"]`;
  return `["${keywordOf(batch, n)}","shop-${batch.accountId}.example","US","en","desktop","site"]`;
}

function keywordOf({ firstId }: StoredBatch, n: number): string {
  return `running shoes ${(firstId + n) % 20_000}`;
}

function rankOf(n: number): number {
  return (n % 90) + 1;
}

const words: Record<CheckType, string> = { http: 'status_2xx', index: 'indexed', keyword: 'ranked' };

const outcomes: Record<CheckType, (batch: StoredBatch, n: number) => string> = {
  http: (batch, n) =>
    `{"status":200,"is_soft404":false,"initial_status":200,"redirect_count":0,"redirects":[],"final_url":"${urlOf(batch, n)}",` +
    `"content_type":"text/html","response_time_ms":${n % 900},"soft404_checked":true,"soft404_reasons":[],` +
    `"bot_wall":null,"title":"Running shoes","canonical":null,"noindex":null,"error":null}`,
  index: (batch, n) =>
    `{"is_indexed":true,"engine":"google","match":"exact","matched_url":"${urlOf(batch, n)}","found_by":"url",` +
    `"similar_url":null,"provider":"serper"}`,
  keyword: (batch, n) =>
    `{"found":true,"rank":${rankOf(n)},"ranked_url":"${urlOf(batch, n)}","page":${Math.ceil(rankOf(n) / 10)},` +
    `"position_on_page":null,"pages_searched":1,"featured_snippet_url":null,"provider":"serper"}`,
};
