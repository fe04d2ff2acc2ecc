import * as sessions from '../db/sessions.ts';
import * as tokens from '../db/tokens.ts';
import * as users from '../db/users.ts';
import type { Crowd } from './crowd.ts';
import type { Customer, Stack } from './stack.ts';

/** What an account asks, and what must be there before. */
type FreeAct = (customer: Customer, stack: Stack) => Promise<Partial<Crowd>>;

const list = (entries: number) =>
  Array.from({ length: entries }, (_, index) => `https://a${index}.example/{n}/${'x'.repeat(600)}`);
const monitor = (urls: string[]) => ({ name: 'M', type: 'http', urls, schedule: { every: 'month' } });
const underKeys = { 'Idempotency-Key': '{n}' };

/** What has no price, by what is done, each as often as it is let. */
export const freeActs: Readonly<Record<string, FreeAct>> = {
  'monitors of 2,000 long addresses': async () => posts('/monitors', monitor(list(2000))),
  'monitors of one address': async () => posts('/monitors', monitor(list(1)), underKeys),
  'a monitor is paused': async (...who) => posts(`${await pathOfOne(...who)}/pause`, {}, underKeys),
  'a monitor of 2,000 is run': async (...who) => posts(`${await pathOfOne(...who)}/run`, {}),
  'notes in its charts': async (...who) =>
    posts(`${await pathOfOne(...who)}/annotations`, { text: 'x'.repeat(200) }),
  'its series are read': async (...who) => ({ path: `${await pathOfOne(...who)}/series`, atOnce: 20 }),
  'its subjects are read': async (...who) => ({
    path: `${await pathOfOne(...who)}/subjects?per_page=100`,
    atOnce: 20,
  }),
  tokens: async (...who) => ({
    ...(await asOwner(...who)),
    ...posts('/tokens', { name: 'x', scope: 'read' }, underKeys),
  }),
  invitations: async (...who) => ({
    ...(await asOwner(...who)),
    ...posts('/members', { email: 'a{n}@example.com', role: 'viewer' }, underKeys),
  }),
  'another webhook secret': async () => posts('/webhooks/secret/rotate', {}, underKeys),
  'webhooks tested': async () => posts('/webhooks/test', { webhook_url: 'http://127.0.0.9:9/' }),
  'batches of a test token': async ({ accountId }, { connection: { db } }) => {
    const token = await tokens.issue(db, accountId, 'test', { isTest: true });
    return { callers: [{ token }], ...posts('/http-status/bulk', { urls: list(2000) }) };
  },
  'its page of activity': async (customer, stack) => {
    const userId = await ownerOf(customer, stack);
    const cookie = `sonde_session=${await sessions.begin(stack.connection.db, userId)}`;
    return { baseUrl: stack.baseUrl, path: '/activity', headers: { Cookie: cookie }, atOnce: 20 };
  },
};

function posts(path: string, body: object, headers = {}): Partial<Crowd> {
  return { path, body: JSON.stringify(body), headers, atOnce: 4 };
}

async function pathOfOne(customer: Customer, stack: Stack): Promise<string> {
  const { body } = await stack.post(customer, '/monitors', monitor(list(2000)));
  return `/monitors/${(body.monitor as { monitor_id: string }).monitor_id}`;
}

function ownerOf({ accountId }: Customer, { connection: { db } }: Stack): Promise<number> {
  return users.create(db, { accountId, email: `owner-${accountId}@example.com`, passwordHash: null });
}

async function asOwner(customer: Customer, stack: Stack): Promise<Partial<Crowd>> {
  const userId = await ownerOf(customer, stack);
  const token = await tokens.issue(stack.connection.db, customer.accountId, 'owner', { userId });
  return { callers: [{ token }] };
}
