/**
 * Accounts that ask for as much as they can, in a process of their own, so that their work is not measured with the
 * victim's. Each line of input is a `Crowd` as JSON, which begins at once; `stop` ends them all, when their last
 * requests are answered, and prints how often which status came.
 */
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';

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
  /** A POST with one of `largeBodies`. */
  largeBody?: string;
}

const bytesMax = 8 * 1024 * 1024 - 200;
const ligature = '\ufdfa';

const list = (length: number, entry: (index: number) => unknown) =>
  Array.from({ length }, (_, index) => entry(index));

/** Bodies that cost more to read or to refuse than others of their length, by what they are made of. */
export const largeBodies: Readonly<Record<string, () => string>> = {
  'queries with international names': () =>
    JSON.stringify({
      queries: list(2000, (index) => ({
        url: `bücher${index}.example`,
        keyword: ligature.repeat(400) + index,
        competitors: list(10, (other) => `bücher${other}-${index}.example/${'ü'.repeat(80)}`),
      })),
    }),
  'queries that fit in nothing': () =>
    JSON.stringify({
      queries: list(1900, (index) => ({
        url: ligature.repeat(60) + index,
        keyword: ligature.repeat(500) + index,
        country: 'QQ',
        language: 'zz',
        device: 9,
        competitors: list(10, (other) => `http://${ligature}${other}${'ü'.repeat(60)}`),
        tag: '\u0000',
        unknown: 1,
      })),
    }),
  'addresses with odd names': () =>
    JSON.stringify({
      urls: list(2000, (index) => `http://${'ü'.repeat(1000)}${index}${`.${ligature}`.repeat(10)}`),
    }),
  'addresses too dear by far': () =>
    JSON.stringify({ urls: list(2000, (index) => `https://a${index}.example/${'é'.repeat(1990)}`) }),
  '48,000 unknown fields': () =>
    `{"urls":["https://a.example/"],${list(48_000, (index) => `"${'k'.repeat(150)}${index}":1`).join(',')}}`,
  '840,000 fields': () =>
    `{${list(840_000, (index) => `"k${index}":1`)
      .join(',')
      .slice(0, bytesMax)}`,
  'two million empty entries': () => `{"urls":[${'{},'.repeat(Math.floor(bytesMax / 3) - 10)}{}]}`,
};

/** Where each of them is sent. */
export function pathOf(largeBody: string): string {
  return largeBody.startsWith('queries') ? '/keyword-track' : '/http-status/bulk';
}

// An account over its limit that asks on at once would measure the refusal of floods.
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
  { baseUrl, path, body }: Crowd,
  token: string,
  fill: (text: string) => string,
  large: Buffer | undefined,
): Promise<void> {
  while (!isOver) {
    asked += 1;
    const status = await ask(
      baseUrl + fill(path),
      token,
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
function ask(url: string, token: string, body: string | Buffer | undefined): Promise<number> {
  return new Promise((resolve) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
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
