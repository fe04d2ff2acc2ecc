import { sql } from 'kysely';
import * as users from '../db/users.ts';
import { serveMails } from '../test/support/smtp.ts';
import { type Figure, median, ratio, spread } from './figures.ts';
import { startStack } from './stack.ts';

const eachMax = 1000;

/**
 * How long /forgot takes for an address that has an account and for one that has none, in turns. Each asking is of
 * another address, from another place in the network, so that no limit is met.
 */
export async function* benchForgot(): AsyncGenerator<Figure> {
  const server = await serveMails();
  const stack = await startStack({ SMTP_URL: server.url, TRUST_PROXY: '1' });
  try {
    const { db } = stack.connection;
    const { accountId } = await stack.customer(0);
    for (let index = 0; index < eachMax; index++)
      await users.create(db, { accountId, email: `known-${index}@example.com`, passwordHash: null });
    const ask = await asker(stack.baseUrl);
    for (let index = 0; index < 50; index++) await ask(`warm-${index}@example.com`, index);
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let index = 0; index < eachMax; index++) {
      const both = ['known', 'unknown'] as const;
      for (const kind of index % 2 ? both : both.toReversed())
        times[kind].push(await ask(`${kind}-${index}@example.com`, index));
      // What was asked for is not sent here; the queue stays as short for the first as for the last.
      if (index % 100 === 99) await sql`delete from pgboss.job where name = 'mails'`.execute(db);
    }
    const medians = [median(times.known), median(times.unknown)];
    const [low = 0, high = 0] = medians.toSorted((a, b) => a - b);
    const note = `known ${spread(times.known)}, unknown ${spread(times.unknown)}, ${eachMax} of each in turns`;
    yield ratio('/forgot: the longer of the two medians to the shorter', [high, low], { atMost: 1.05, note });
  } finally {
    await stack.stop();
    await server.close();
  }
}

/** Sends the form of the page as a browser does, and answers the milliseconds until the answer was there. */
async function asker(baseUrl: string): Promise<(email: string, from: number) => Promise<number>> {
  const page = await fetch(`${baseUrl}/forgot`);
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const token = /name="form_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
  return async (email, from) => {
    const body = new URLSearchParams({ form_token: token, email });
    const place = `10.${(from >> 8) & 255}.${from & 255}.1`;
    const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': place };
    const startedMs = performance.now();
    const answer = await fetch(`${baseUrl}/forgot`, { method: 'POST', body, headers });
    await answer.text();
    if (answer.status !== 200) throw new Error(`/forgot answered ${answer.status}`);
    return performance.now() - startedMs;
  };
}
