/**
 * Sends the requests of many accounts from a separate process, so that its CPU time does not slow the victim's client.
 * Each line of input is a `Crowd` as JSON, or `stop`. A crowd starts immediately. `stop` ends all crowds after their
 * last responses, and prints the number of responses by status.
 */
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Accounts that repeat a request without a pause. */
export interface Crowd {
  baseUrl: string;
  callers: Array<{ token: string; id?: string }>;
  /** Concurrent requests per account. */
  atOnce: number;
  /** Placeholders: `{a}` account number, `{h}` host 1 to 250, `{n}` request number, `{id}` the caller's `id`. */
  path: string;
  /** If set, the requests are POSTs with this body, which may have the same placeholders. */
  body?: string;
  /** If set, the requests are POSTs with the body of this name in `largeBodies`. */
  largeBody?: string;
}

const bytesMax = 8 * 1024 * 1024 - 200;
const ligature = '\ufdfa';

const list = (length: number, entry: (index: number) => unknown) =>
  Array.from({ length }, (_, index) => entry(index));

/** Bodies whose content makes them unusually expensive to parse or reject. */
export const largeBodies: Readonly<Record<string, () => string>> = {
  'queries with international names': () =>
    JSON.stringify({
      queries: list(2000, (index) => ({
        url: `bücher${index}.example`,
        keyword: ligature.repeat(400) + index,
        competitors: list(10, (other) => `bücher${other}-${index}.example/${'ü'.repeat(80)}`),
      })),
    }),
  'URLs that are much too long': () =>
    JSON.stringify({ urls: list(2000, (index) => `https://a${index}.example/${'é'.repeat(1990)}`) }),
  '840,000 fields': () =>
    `{${list(840_000, (index) => `"k${index}":1`)
      .join(',')
      .slice(0, bytesMax)}`,
  'two million empty entries': () => `{"urls":[${'{},'.repeat(Math.floor(bytesMax / 3) - 10)}{}]}`,
};

export function toPath(largeBody: string): string {
  return largeBody.startsWith('queries') ? '/keyword-track' : '/http-status/bulk';
}

// Without this pause, the bench would measure how fast requests over the limit are rejected.
const pauseAfterRefusalMs = 100;

const agent = new Agent({ keepAlive: true });
const statuses: Record<string, number> = {};
let sent = 0;
let isOver = false;
const senders: Array<Promise<void>> = [];

if (import.meta.main) {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'stop') {
      isOver = true;
      await Promise.all(senders);
      process.stdout.write(`ready ${JSON.stringify(statuses)}\n`);
      break;
    }
    begin(JSON.parse(line));
    process.stdout.write('ready \n');
  }
  agent.destroy();
  // An open pipe would keep the process alive.
  process.stdin.destroy();
}

function begin(crowd: Crowd): void {
  const large =
    crowd.largeBody === undefined ? undefined : Buffer.from(largeBodies[crowd.largeBody]?.() ?? '');
  for (const [index, caller] of crowd.callers.entries()) {
    const fill = (text: string) => fillPlaceholders(text, index + 1, caller.id ?? '');
    for (let nth = 0; nth < crowd.atOnce; nth++)
      senders.push(sendRepeatedly(crowd, caller.token, fill, large));
  }
}

async function sendRepeatedly(
  { baseUrl, path, body }: Crowd,
  token: string,
  fill: (text: string) => string,
  large: Buffer | undefined,
): Promise<void> {
  while (!isOver) {
    sent += 1;
    const status = await send(
      baseUrl + fill(path),
      token,
      large ?? (body === undefined ? undefined : fill(body)),
    );
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 429 || status === 0) await pause(pauseAfterRefusalMs);
  }
}

function fillPlaceholders(text: string, account: number, id: string): string {
  return text
    .replaceAll('{a}', String(account))
    .replaceAll('{h}', String((sent % 250) + 1))
    .replaceAll('{n}', String(sent))
    .replaceAll('{id}', id);
}

/** Returns the status of a complete response; 0 if no complete response arrived. */
function send(url: string, token: string, body: string | Buffer | undefined): Promise<number> {
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
