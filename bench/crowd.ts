/**
 * Accounts that ask for as much as they can, in a process of their own, so that their work is not measured with the
 * victim's. Each line of input is a `Crowd` as JSON, which begins at once; `stop` ends them all, when their last
 * requests are answered, and prints how often which status came.
 */
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { largeBodies } from './large-bodies.ts';

/** What each of some accounts asks again and again. */
export interface Crowd {
  baseUrl: string;
  callers: Array<{ token: string; id?: string }>;
  /** Requests of one account at the same time. */
  atOnce: number;
  /** `{a}`, `{h}`, `{n}`, `{id}` stand for the account's number, 1 to 250, the request's number, the caller's `id`. */
  path: string;
  /** A POST with this body, the same placeholders in it; else a GET. */
  body?: string;
  /** Beside the token and the type of the body, the same placeholders in them. */
  headers?: Record<string, string>;
  /** A POST with one of `largeBodies`. */
  largeBody?: string;
}

// Whoever is over a limit and asks on at once measures the refusal of floods, which is another matter.
const pauseAfterRefusalMs = 100;

const agent = new Agent({ keepAlive: true });
const statuses: Record<string, number> = {};
let asked = 0;
let isOver = false;
const under: Array<Promise<void>> = [];

if (import.meta.main) {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'stop') {
      isOver = true;
      await Promise.all(under);
      process.stdout.write(`ready ${JSON.stringify(statuses)}\n`);
      break;
    }
    begin(JSON.parse(line));
    process.stdout.write('ready \n');
  }
  agent.destroy();
  // What is left of the pipe keeps the process up.
  process.stdin.destroy();
}

function begin(crowd: Crowd): void {
  const large =
    crowd.largeBody === undefined ? undefined : Buffer.from(largeBodies[crowd.largeBody]?.() ?? '');
  for (const [index, caller] of crowd.callers.entries()) {
    const fill = (text: string) => filled(text, index + 1, caller.id ?? '');
    for (let line = 0; line < crowd.atOnce; line++) under.push(askOn(crowd, caller.token, fill, large));
  }
}

async function askOn(
  { baseUrl, path, body, headers = {} }: Crowd,
  token: string,
  fill: (text: string) => string,
  large: Buffer | undefined,
): Promise<void> {
  while (!isOver) {
    asked += 1;
    const named = Object.entries(headers).map(([name, value]) => [name, fill(value)]);
    const status = await ask(
      baseUrl + fill(path),
      { Authorization: `Bearer ${token}`, ...Object.fromEntries(named) },
      large ?? (body === undefined ? undefined : fill(body)),
    );
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 429 || status === 0) await pause(pauseAfterRefusalMs);
  }
}

function filled(text: string, account: number, id: string): string {
  return text
    .replaceAll('{a}', String(account))
    .replaceAll('{h}', String((asked % 250) + 1))
    .replaceAll('{n}', String(asked))
    .replaceAll('{id}', id);
}

/** The status of the answer, when all of it is here; 0 when there was none. */
function ask(url: string, own: Record<string, string>, body: string | Buffer | undefined): Promise<number> {
  return new Promise((resolve) => {
    const headers = { 'Content-Type': 'application/json', ...own };
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const method = body === undefined ? 'GET' : 'POST';
    const call = request(url, { method, agent, headers: { ...headers, ...length } }, (response) => {
      response.resume();
      response.once('close', () => resolve(response.complete ? (response.statusCode ?? 0) : 0));
    });
    call.once('error', () => resolve(0));
    call.end(body);
  });
}
