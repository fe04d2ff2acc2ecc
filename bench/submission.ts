import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import * as sessions from '../db/sessions.ts';
import * as users from '../db/users.ts';
import { type Figure, median, quantile } from './figures.ts';
import { urls } from './site.ts';
import { type Customer, type Stack, startStack } from './stack.ts';
import { startSite } from './throughput.ts';

const lines = 100_000;
// As often as the page asks.
const pollEveryMs = 2000;
const pollMsMax = 200;
const webMebibytesMax = 512;
const endedWithinMs = 30 * 60_000;

/** A file of 100,000 addresses as the dashboard takes it: read, shown, accepted, watched to its end, exported. */
export async function* benchSubmission(): AsyncGenerator<Figure> {
  const stack = await startStack();
  const site = await startSite(0);
  const worker = await stack.startWorker();
  try {
    const visitor = await visit(stack, await stack.customer(lines));
    const file = Buffer.from(`url\n${urls(Number(site.said), lines, 'small').join('\n')}\n`);
    const shown = await visitor.send('read', file);
    yield informs(
      `a file of 100,000 lines (${mebibytes(file.length)}), read and shown`,
      seconds(shown.tookMs),
    );
    const { location, text, tookMs } = await visitor.send('http', file);
    if (!shown.text.includes('100,000 URLs') || !location) throw new Error(`refused: ${text}`);
    yield informs('read again, accepted and charged as 50 batches', seconds(tookMs));
    yield* watch(visitor, location);
    for (const ending of ['csv', 'xlsx', 'ndjson']) {
      yield await exported(visitor, `${location}/results.${ending}`);
    }
    yield memory('web, at most', await peakOf(stack.webPid), webMebibytesMax);
    yield memory('worker, at most', await peakOf(worker.pid), null);
  } finally {
    await site.stop();
    await stack.stop();
  }
}

type Visitor = Awaited<ReturnType<typeof visit>>;

/** Somebody at the dashboard, with the token of a page's form. */
async function visit({ connection: { db }, baseUrl }: Stack, { accountId }: Customer) {
  const userId = await users.create(db, { accountId, email: 'bench@example.com', passwordHash: null });
  const headers = { Cookie: `sonde_session=${await sessions.begin(db, userId)}` };
  const home = await (await fetch(`${baseUrl}/`, { headers })).text();
  const [, token = ''] = /name="form_token" value="([^"]+)"/.exec(home) ?? [];
  const get = (path: string) => fetch(`${baseUrl}${path}`, { headers });
  const send = async (check: string, file: Buffer<ArrayBuffer>) => {
    const startedMs = performance.now();
    const response = await fetch(`${baseUrl}/file?check=${check}&once=bench`, {
      method: 'POST',
      headers: { ...headers, 'Sec-Fetch-Site': 'same-origin', 'X-Form-Token': token },
      body: file,
    });
    const text = await response.text();
    return { location: response.headers.get('location'), text, tookMs: performance.now() - startedMs };
  };
  return { get, send };
}

/** Until the bar is full, as an open page does. */
async function* watch(visitor: Visitor, page: string): AsyncGenerator<Figure> {
  const startedMs = performance.now();
  const polls: number[] = [];
  const bars = new Set<string>();
  let text = '';
  for (;;) {
    const askedMs = performance.now();
    const response = await visitor.get(`${page}/live`);
    text = await response.text();
    polls.push(performance.now() - askedMs);
    if (!text.includes('hx-get')) break;
    const [bar] = /[\d,]+ of 100,000 checked/.exec(text) ?? [];
    if (bar) bars.add(bar);
    if (performance.now() - startedMs > endedWithinMs) throw new Error(`not at its end: ${bar}`);
    await pause(pollEveryMs);
  }
  const [slowest, tookMs] = [quantile(polls, 0.99), performance.now() - startedMs];
  yield informs(
    'from there to the last one stored',
    `${seconds(tookMs)}, ${Math.round(lines / (tookMs / 1000))} a second, ${bars.size} places of the bar`,
  );
  yield {
    what: `its page, asked every ${pollEveryMs / 1000} s meanwhile`,
    value: `median ${Math.round(median(polls))} ms, p99 ${Math.round(slowest)} ms, ${(text.length / 1024).toFixed(0)} KiB`,
    bar: `median ≤ ${pollMsMax} ms`,
    isMet: median(polls) <= pollMsMax,
  };
}

async function exported(visitor: Visitor, path: string): Promise<Figure> {
  const startedMs = performance.now();
  const { body } = await visitor.get(path);
  let bytes = 0;
  for await (const piece of body ?? []) bytes += piece.length;
  return informs(
    `export as ${path.split('.').at(-1)}`,
    `${seconds(performance.now() - startedMs)}, ${mebibytes(bytes)}`,
  );
}

function informs(what: string, value: string): Figure {
  return { what, value, bar: null, isMet: true };
}

function memory(what: string, peak: number, max: number | null): Figure {
  return {
    what: `memory of ${what}`,
    value: `${Math.round(peak)} MiB`,
    bar: max === null ? null : `≤ ${max} MiB`,
    isMet: max === null || peak <= max,
  };
}

/** MiB that a process held at most since it began (proc_pid_status(5)). */
async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}
