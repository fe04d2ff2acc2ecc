import { expect } from 'chai';
import { sql } from 'kysely';
import * as tokens from '../../db/accounts/tokens.ts';
import * as users from '../../db/accounts/users.ts';
import type { Role } from '../../schemas/members.ts';
import { operations } from '../../schemas/openapi.ts';
import { apiWrites, type PrepareWrite } from '../support/api-writes.ts';
import { fieldIn, visitAs } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { holdBack } from '../support/held-request.ts';
import { type PageWrite, pageWrites } from '../support/page-writes.ts';
import { rightsOfOperations, rightsOfPages } from '../support/rights.ts';
import { pageRoutes } from '../support/routes.ts';
import { type CallOptions, useService } from '../support/service.ts';

/** A way to lose rights while a body is on its way. */
type Loss = 'removed' | 'demoted' | 'token revoked' | 'session ended';

const less: Record<Role, Role | null> = { owner: 'member', member: 'viewer', viewer: null };
const writes = operations.filter(({ isOpen, method }) => !isOpen && method !== 'get');
/** Forms that do not depend on a session: they use a mailed link, a password, or nothing. */
const openPages =
  /^POST \/(sign-up|sign-in|sign-out|forgot|reset|sign-in\/link|sign-in\/link\/follow|sign-in\/second|unsubscribe)$/;

describe('a request whose body arrives after its rights are gone', () => {
  const service = useService({ SMTP_URL: 'smtp://127.0.0.1:1' });
  let people = 0;

  let columns: Array<{ table: string; column: string }> = [];

  before(async () => {
    const { rows } = await sql<{ table: string; column: string }>`
      select table_name as "table", column_name as "column"
      from information_schema.columns join pg_class on oid = table_name::regclass
      where table_schema = 'public' and not relispartition and relkind in ('r', 'p')
        and table_name not in ('allowances', 'rate_limits')
        and column_name in ('account_id', 'user_id')`.execute(service.db);
    columns = rows;
  });

  /** Creates an account with one owner, and a caller for its API. */
  async function createPerson() {
    people += 1;
    const { accountId, token } = await service.account(1000);
    const email = `person-${people}@example.com`;
    const userId = await service.confirmedUser(accountId, email);
    const call = (path: string, options: CallOptions = {}) => service.call(path, { token, ...options });
    return { service, accountId, userId, email, call };
  }

  type Person = Awaited<ReturnType<typeof createPerson>>;

  /** Removes a right. Returns a function that restores it. */
  async function removeRight(
    { accountId, userId }: Person,
    loss: Loss,
    { needed, tokenId = 0 }: { needed: Role; tokenId?: number },
  ): Promise<() => Promise<void>> {
    const { db } = service;
    if (loss === 'demoted') {
      await sql`update memberships set role = ${less[needed]}
        where account_id = ${accountId} and user_id = ${userId}`.execute(db);
      return async () => {
        await sql`update memberships set role = 'owner'
          where account_id = ${accountId} and user_id = ${userId}`.execute(db);
      };
    }
    if (loss === 'token revoked') {
      await tokens.revoke(db, accountId, tokenId);
      return async () => {
        await sql`update api_tokens set revoked_at = null where token_id = ${tokenId}`.execute(db);
      };
    }
    const [table, where] =
      loss === 'removed'
        ? ['memberships', sql`account_id = ${accountId} and user_id = ${userId}`]
        : ['sessions', sql`user_id = ${userId}`];
    const { rows } = await sql<{ row: string }>`
      delete from ${sql.table(String(table))} where ${where}
      returning row_to_json(${sql.table(String(table))})::text as row`.execute(db);
    return async () => {
      for (const { row } of rows)
        await sql`insert into ${sql.table(String(table))}
          select * from json_populate_record(null::${sql.table(String(table))}, ${row}::json)`.execute(db);
    };
  }

  /** Returns all rows of an account and its user, without those that any request or chore may write. */
  async function listRows({ accountId, userId }: Person): Promise<string> {
    const parts = columns.map(({ table, column }) => {
      const id = column === 'account_id' ? accountId : userId;
      return sql`select ${table}::text as "table", (to_jsonb(one) - 'last_used_at')::text as row
        from ${sql.table(table)} as one where ${sql.ref(column)} = ${id}`;
    });
    const { rows } = await sql<{ table: string; row: string }>`
      ${sql.join(parts, sql` union all `)} order by 1, 2`.execute(service.db);
    return rows.map(({ table, row }) => `${table} ${row}`).join('\n');
  }

  const untilUsed = (table: 'sessions' | 'apiTokens', id: number) =>
    eventually(async () => {
      const column = table === 'sessions' ? 'user_id' : 'token_id';
      const { rows } = await sql`
        select from ${sql.table(table === 'sessions' ? 'sessions' : 'api_tokens')}
        where ${sql.ref(column)} = ${id} and last_used_at > now() - interval '1 minute'`.execute(service.db);
      return rows.length > 0 || null;
    });

  for (const operation of writes) {
    it(`is rejected and changes nothing: ${operation.id}`, async () => {
      const { db } = service;
      const person = await createPerson();
      const email = `other-${people}@example.com`;
      const other = { accountId: person.accountId, email, passwordHash: null, role: 'member' as const };
      const prepare = apiWrites[operation.id] as PrepareWrite;
      const { path, body } = await prepare(
        person.call,
        async () => {},
        () => users.create(db, other),
      );
      const token = await tokens.issue(db, person.accountId, 'held', { userId: person.userId });
      const tokenId = (await tokens.findCaller(db, token))?.tokenId ?? 0;
      const method = operation.method.toUpperCase();
      const needed = rightsOfOperations[operation.id]?.[1] ?? 'owner';
      const present = await listRows(person);
      for (const loss of ['removed', 'demoted', 'token revoked'] as const) {
        await sql`update api_tokens set last_used_at = null where token_id = ${tokenId}`.execute(db);
        const send = holdBack({
          method,
          url: `${service.baseUrl}/api/v1${path}`,
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        });
        await untilUsed('apiTokens', tokenId);
        const giveBack = await removeRight(person, loss, { needed, tokenId });
        const answer = await send();
        const refusal = loss === 'demoted' ? [403, 'insufficient_scope'] : [401, 'unauthorized'];
        expect([answer.status, JSON.parse(answer.text).error], answer.text).to.deep.equal(refusal);
        await giveBack();
        expect(await listRows(person), loss).to.equal(present);
      }
      const { status, text } = await service.call(path, { token, method, body });
      expect(status, text).to.be.within(200, 202);
    });
  }

  it('has a case for every form of the dashboard', () => {
    const posts = pageRoutes(service)
      .map(({ method, path }) => `${method} ${path}`)
      .filter((route) => route.startsWith('POST ') && !openPages.test(route));
    expect(posts).to.have.members(Object.keys(pageWrites));
  });

  for (const [route, prepare] of Object.entries(pageWrites)) {
    const needed = rightsOfPages[route] === 'anybody' ? 'viewer' : (rightsOfPages[route] as Role);
    const losses: Loss[] = ['removed', 'session ended'];
    if (less[needed]) losses.push('demoted');
    it(`is rejected and changes nothing: ${route}`, async () => {
      const { db, baseUrl } = service;
      const person = await createPerson();
      const form = await (prepare as NonNullable<typeof prepare>)(person);
      const browser = await visitAs(service, person.userId);
      const page = await browser.get('/settings');
      const formToken = fieldIn(page.text, 'form_token');
      const Cookie = `sonde_session=${browser.cookies.get('sonde_session')}`;
      const { target, headers, body } = await encode(form, formToken);
      const send = () =>
        holdBack({
          method: 'POST',
          url: `${baseUrl}${target}`,
          headers: { ...headers, Cookie, 'Sec-Fetch-Site': 'same-origin' },
          body,
        });
      const present = await listRows(person);
      for (const loss of losses) {
        await sql`update sessions set last_used_at = now() - interval '10 minutes'`.execute(db);
        const held = send();
        await untilUsed('sessions', person.userId);
        const giveBack = await removeRight(person, loss, { needed });
        const answer = await held();
        const what = `${route} ${loss}: ${answer.status} ${answer.location} ${answer.text.slice(0, 3000)}`;
        if (loss === 'demoted') expect(answer.status, what).to.equal(403);
        else expect([answer.status, answer.location], what).to.deep.equal([303, '/sign-in']);
        await giveBack();
        expect(await listRows(person), what).to.equal(present);
      }
      const again = await send()();
      expect(again.status, `${route}: ${again.text}`).to.be.below(500);
      if (!['POST /read', 'POST /monitors/:monitor_id/plan', 'POST /webhooks/test'].includes(route))
        expect(await listRows(person), `${route}: ${again.status} ${again.text}`).to.not.equal(present);
      else expect(again.status).to.be.below(400);
    });
  }
});

/** Encodes a form as a browser does. */
async function encode({ path, fields = {}, isMultipart = false, file }: PageWrite, formToken: string) {
  if (file !== undefined) {
    const headers = { 'Content-Type': 'text/plain', 'X-Form-Token': formToken };
    return { target: `${path}?${new URLSearchParams(fields)}`, headers, body: file };
  }
  const data = isMultipart ? new FormData() : new URLSearchParams();
  for (const [name, value] of Object.entries({ ...fields, form_token: formToken })) data.set(name, value);
  const response = new Response(data);
  const headers = { 'Content-Type': response.headers.get('content-type') ?? '' };
  return { target: path, headers, body: new Uint8Array(await response.arrayBuffer()) };
}
