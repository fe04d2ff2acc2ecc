import { sql } from 'kysely';
import * as users from '../db/users.ts';
import { serveMails } from '../test/support/smtp.ts';
import { type Figure, median, ratio, spread } from './figures.ts';
import { startStack } from './stack.ts';

/** Where somebody says an address, and what is answered whether or not it is known. */
const doors = [
  { path: '/forgot', status: 200, each: 1000, atMost: 1.05 },
  { path: '/sign-in/link', status: 200, each: 1000, atMost: 1.05 },
  // A password is derived for each of them, a third of a second long.
  { path: '/sign-in', status: 401, each: 100, atMost: 1.1 },
] as const;

type Door = (typeof doors)[number];

/**
 * How long /forgot and its like take for an address that has an account and for one that has none, in turns. Each
 * asking is of another address, from another place in the network, so that no limit is met.
 */
export async function* benchForgot(): AsyncGenerator<Figure> {
  const server = await serveMails();
  const stack = await startStack({ SMTP_URL: server.url, TRUST_PROXY: '1' });
  try {
    const { db } = stack.connection;
    const { accountId } = await stack.customer(0);
    const passwordHash = await users.hashPassword('the right one');
    for (let index = 0; index < Math.max(...doors.map(({ each }) => each)); index++)
      await users.create(db, { accountId, email: `known-${index}@example.com`, passwordHash });
    for (const [place, door] of doors.entries()) {
      // Five mails a day go to an address, and two doors send some.
      const ask = await asker(stack.baseUrl, door, place);
      for (let index = 0; index < door.each / 20; index++) await ask(`warm-${index}@example.com`, index);
      const times = { known: [] as number[], unknown: [] as number[] };
      for (let index = 0; index < door.each; index++) {
        const both = ['known', 'unknown'] as const;
        for (const kind of index % 2 ? both : both.toReversed())
          times[kind].push(await ask(`${kind}-${index}@example.com`, index));
        // What was asked for is not sent here; the queue stays as short for the first as for the last.
        if (index % 100 === 99) await sql`delete from pgboss.job where name = 'mails'`.execute(db);
      }
      const medians = [median(times.known), median(times.unknown)];
      const [low = 0, high = 0] = medians.toSorted((a, b) => a - b);
      const note = `known ${spread(times.known)}, unknown ${spread(times.unknown)}, ${door.each} of each in turns`;
      const name = `${door.path}: the longer of the two medians to the shorter`;
      yield ratio(name, [high, low], { atMost: door.atMost, note });
    }
  } finally {
    await stack.stop();
    await server.close();
  }
}

/** Sends the form of the page as a browser does, and answers the milliseconds until the answer was there. */
async function asker(
  baseUrl: string,
  { path, status }: Door,
  place: number,
): Promise<(email: string, from: number) => Promise<number>> {
  const page = await fetch(baseUrl + path);
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const token = /name="form_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
  return async (email, from) => {
    const body = new URLSearchParams({ form_token: token, email, password: 'a wrong one' });
    const address = `10.${(from >> 8) & 255}.${from & 255}.${place + 1}`;
    const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': address };
    const startedMs = performance.now();
    const answer = await fetch(baseUrl + path, { method: 'POST', body, headers });
    await answer.text();
    if (answer.status !== status) throw new Error(`${path} answered ${answer.status}`);
    return performance.now() - startedMs;
  };
}
