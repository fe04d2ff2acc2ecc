import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { closeAccount, resumeClosing } from '../../accounts/close.ts';
import { signUpByInvitation } from '../../accounts/invitations.ts';
import { deadlines } from '../../config/deadlines.ts';
import * as accounts from '../../db/accounts/accounts.ts';
import * as activity from '../../db/accounts/activity.ts';
import * as closing from '../../db/accounts/closing.ts';
import * as invitations from '../../db/accounts/invitations.ts';
import * as memberships from '../../db/accounts/memberships.ts';
import { inOpenAccount } from '../../db/accounts/open-account.ts';
import * as sessions from '../../db/accounts/sessions.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import * as users from '../../db/accounts/users.ts';
import * as mails from '../../db/notifications/mails.ts';
import { type Db, inTransaction } from '../../db/postgres/connect.ts';
import { createSecretBox } from '../../process/secret-box.ts';
import { authorize } from '../support/accounts.ts';
import { afterTest } from '../support/after-test.ts';
import { runChores } from '../support/chores.ts';
import { FormClient, visit } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { collide, untilWaiting } from '../support/locks.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { type CallOptions, secretKey, TestService } from '../support/service.ts';

const hook = 'https://ann.invalid/hook';
const urls = ['https://ann.invalid/'];
const batch = { urls, reference: 'for Ann', webhook_url: hook };
const schedule = { every: 'day' };

interface Asked extends Pick<CallOptions, 'method' | 'body'> {
  path: string;
  isTest?: boolean;
  /** Table whose lock blocks the request before it writes. `answered` is its status after that. */
  written?: string;
  answered?: number;
}

const requests: Record<string, Asked> = {
  'a batch': { path: '/http-status/bulk', body: batch, written: 'chunks', answered: 202 },
  'a batch of skipped entries': {
    path: '/check/bulk',
    body: { ...batch, urls: ['nonsense'], on_invalid: 'skip' },
    written: 'items',
    answered: 202,
  },
  'a single check': { path: '/http-status', body: { url: urls[0] }, written: 'chunks', answered: 200 },
  'a single check of a test': {
    path: '/http-status',
    body: { url: 'https://ok.sonde.test/' },
    isTest: true,
    written: 'chunks',
    answered: 200,
  },
  'a monitor': { path: '/monitors', body: { name: 'Ann', type: 'http', urls, schedule } },
  'a token': { path: '/tokens', body: { name: 'Ann' } },
  'an alert': { path: '/credits/alert', method: 'PATCH', body: { threshold: 1, webhook_url: hook } },
  'another webhook secret': { path: '/webhooks/secret/rotate', method: 'POST' },
};

describe('an account that is closed while others use it', () => {
  let service: TestService;
  let boss: PgBoss;

  before(async () => {
    service = await TestService.start();
    boss = await service.boss();
  });

  after(async () => {
    await service.addWorker();
    await service.quiet();
    expect(await service.problems()).to.deep.equal([]);
    await service.stop();
  });

  const closeIt = (accountId: number) => closeAccount(service.db, { boss, mail: 'off' }, accountId);
  const finishIt = (accountId: number) => resumeClosing(service.db, { boss, mail: 'off' }, accountId);
  const traces = (accountId: number) => findTraces(service.db, accountId, /Ann|ann\.invalid|rotated"/);
  const unfinished = () => closing.findUnfinished(service.db, 10);

  for (const [name, { written, answered, ...request }] of Object.entries(requests)) {
    if (written)
      itOnOneServer(`erases ${name} whose request began before the closing`, async () => {
        const { accountId, ask } = await asking(request);
        const { answer, closed } = await service.db.transaction().execute(async (trx) => {
          await sql`lock table ${sql.table(written)} in exclusive mode`.execute(trx);
          const answer = ask();
          await waiting(1);
          const closed = closeIt(accountId);
          await Promise.race([closed, waiting(2)]);
          return { answer, closed };
        });
        await closed;
        expect((await answer).status).to.equal(answered);
        expect(await traces(accountId)).to.deep.equal([]);
      });

    itOnOneServer(`rejects ${name} afterwards`, async () => {
      const { accountId, ask } = await asking(request);
      const asked = await service.db.transaction().execute(async (trx) => {
        await sql`select from accounts where account_id = ${accountId} for update`.execute(trx);
        const answer = ask();
        // At this point, the request has been authenticated.
        await Promise.race([answer, waiting(1)]);
        await accounts.disable(trx, accountId);
        return { answer };
      });
      const { status, body } = await asked.answer;
      expect([status, body.error]).to.deep.equal([401, 'unauthorized']);
      expect(await traces(accountId)).to.deep.equal([]);
    });
  }

  itOnOneServer('loses all that an earlier transaction has written, including names', async () => {
    const { accountId } = await service.account();
    const { acted, letGo } = await holding(accountId);
    const closed = closeIt(accountId);
    await waiting(1);
    letGo();
    await Promise.all([acted, closed]);
    expect(await traces(accountId)).to.deep.equal([]);
    expect(await unfinished()).to.deep.equal([]);
  });

  itOnOneServer('does not wait for a long transaction, and a chore erases its writes later', async () => {
    const { accountId } = await service.account();
    const { acted, letGo } = await holding(accountId);
    const { lockMs } = deadlines;
    Object.assign(deadlines, { lockMs: lockMs / 10 });
    await closeIt(accountId).finally(() => Object.assign(deadlines, { lockMs }));
    expect(await unfinished()).to.deep.equal([accountId]);
    letGo();
    await acted;
    await doClosing();
    // The chore of web may be erasing the account now.
    await eventually(async () => (await unfinished()).length === 0 || null);
    expect(await traces(accountId)).to.deep.equal([]);
  });

  itOnOneServer('loses a person who joins meanwhile, and the person keeps their other account', async () => {
    const [{ accountId }, { accountId: elsewhere }] = [await service.account(), await service.account()];
    const email = 'ann@ann.invalid';
    const { userId, key } = await service.db.transaction().execute(async (trx) => {
      const userId = await users.create(trx, { accountId: elsewhere, email, passwordHash: null });
      const asked = { accountId, email, role: 'member' as const, invitedBy: null };
      return { userId, key: (await invitations.create(trx, asked)).key };
    });
    const { closed } = await service.db.transaction().execute(async (trx) => {
      await invitations.redeem(trx, key);
      await memberships.add(trx, accountId, userId, 'member');
      const closed = closeIt(accountId);
      await waiting(1);
      return { closed };
    });
    await closed;
    expect(await memberships.list(service.db, accountId)).to.deep.equal([]);
    expect(await memberships.listAccounts(service.db, userId)).to.have.lengthOf(1);
  });

  itOnOneServer('does not record that sessions ended afterwards', async () => {
    const account = await service.account();
    const browser = await visit(service, account);
    const left = await service.db.transaction().execute(async (trx) => {
      await sql`select from accounts where account_id = ${account.accountId} for update`.execute(trx);
      const answer = browser.post('/settings/sessions', {}, { from: '/settings' });
      await Promise.race([answer, waiting(1)]);
      await accounts.disable(trx, account.accountId);
      return { answer };
    });
    expect((await left.answer).status).to.equal(403);
    const noted = await activity.list(service.db, account.accountId, { limit: 10 });
    expect(noted.filter(({ what }) => what === 'sessions_ended')).to.deep.equal([]);
  });

  it('does not wait for a sender that never finishes', async () => {
    const { accountId, token } = await service.account();
    const body = { urls: ['https://ann.invalid/'], reference: 'for Ann' };
    const statuses = new Set<number>();
    const send = async () => {
      let status = 0;
      while (status !== 401) {
        ({ status } = await service.call('/http-status/bulk', { token, body }));
        statuses.add(status);
      }
    };
    const senders = Array.from({ length: 8 }, send);
    await eventually(async () => statuses.has(202) || null);
    await closeIt(accountId);
    await Promise.all(senders);
    expect([...statuses]).to.deep.equal([202, 401]);
    expect(await traces(accountId)).to.deep.equal([]);
    expect(await service.credits(accountId)).to.equal(10_000);
  });

  itOnOneServer('has no deadlock with a charge by a token with a limit', async () => {
    const { accountId } = await service.account();
    const token = await tokens.issue(service.db, accountId, 'of a limit', { creditsPerMonth: 100 });
    const [answer] = await collide(
      service.db,
      sql`lock table chunks in exclusive mode`,
      () => service.call('/http-status/bulk', { token, body: { urls } }),
      () => closeIt(accountId),
    );
    expect(answer.status).to.equal(202);
  });

  itOnOneServer('has no deadlock with a new password', async () => {
    const account = await service.account();
    const browser = await visit(service, account);
    const userId = await users.findFirstOwner(service.db, account.accountId);
    const fields = { email: 'user@example.com', new_password: 'correct horse' };
    const [, { status, location }] = await collide(
      service.db,
      sql`select from sessions where user_id = ${userId} for update`,
      () => closeIt(account.accountId),
      () => browser.post('/settings/password', fields, { from: '/settings' }),
    );
    expect([status, location]).to.deep.equal([303, '/sign-in']);
  });

  itOnOneServer('rejects the sign-in of a person that it erases', async () => {
    const { accountId, userId, signIn } = await createPerson('late');
    await sessions.begin(service.db, userId);
    const [, answer] = await collide(
      service.db,
      sql`select from sessions where user_id = ${userId} for update`,
      () => closeIt(accountId),
      signIn,
    );
    expect(answer.status).to.equal(403);
  });

  itOnOneServer('has no deadlock with a sign-in', async () => {
    const { accountId, userId, signIn } = await createPerson('in');
    const lock = sql`select from users where user_id = ${userId} for update`;
    const [answer] = await collide(service.db, lock, signIn, async () => {
      await accounts.disable(service.db, accountId);
      await finishIt(accountId);
    });
    expect(answer.status).to.equal(303);
  });

  itOnOneServer('has no deadlock with a new member', async () => {
    const { accountId } = await service.account();
    const asked = { accountId, email: 'ann@ann.invalid', role: 'member' as const, invitedBy: null };
    const { key } = await inTransaction(service.db, (trx) => invitations.create(trx, asked));
    const { finished, joined } = await service.db.transaction().execute(async (trx) => {
      await sql`select from accounts where account_id = ${accountId} for update`.execute(trx);
      const finished = finishIt(accountId);
      await waiting(1);
      const joining = { key, address: null, isMailed: false };
      const passwordHash = await users.hashPassword('correct horse');
      const secretBox = createSecretBox(secretKey);
      const joined = inTransaction(service.db, (other) =>
        signUpByInvitation(other, { secretBox }, joining, passwordHash),
      ).catch((error: Error) => error.name);
      await waiting(2);
      await accounts.disable(trx, accountId);
      return { finished, joined };
    });
    await finished;
    expect(await joined).to.equal('ApiError');
  });

  itOnOneServer('has no deadlock with a new password that is notified by mail', async () => {
    const mailing = await TestService.start({ SMTP_URL: 'smtp://127.0.0.1:9' });
    afterTest(() => mailing.stop());
    const account = await mailing.account();
    const browser = await visit(mailing, account);
    const userId = await users.findFirstOwner(mailing.db, account.accountId);
    const post = { boss: await mailing.boss(), mail: 'smtp' as const };
    const fields = { new_password: 'correct horse lantern' };
    const [answer] = await collide(
      mailing.db,
      sql`select from users where user_id = ${userId} for update`,
      () => browser.post('/settings/password', fields, { from: '/settings' }),
      () => closeAccount(mailing.db, post, account.accountId),
    );
    expect(answer.status).to.equal(303);
  });

  const waiting = (count: number) => untilWaiting(service.db, count);

  /** Opens an account with a user. `signIn` signs the user in with the password. */
  async function createPerson(name: string) {
    const password = 'correct horse';
    const person = await service.person(`${name}@example.com`, { password });
    const fields = { email: person.email, password };
    const signIn = () => new FormClient(service.baseUrl).post('/sign-in', fields, { from: '/sign-in' });
    return { ...person, signIn };
  }

  async function asking({ path, isTest = false, ...request }: Asked) {
    const { accountId, token: live } = await service.account();
    const token = isTest ? await tokens.issue(service.db, accountId, 'of a test', { isTest }) : live;
    const headers = { 'Idempotency-Key': path };
    return { accountId, ask: () => service.call(path, { token, headers, ...request }) };
  }

  async function doClosing(): Promise<void> {
    await sql`delete from chores where chore = 'close-accounts'`.execute(service.db);
    await runChores(service.db, boss);
  }

  /** Begins a transaction that writes names. It commits when `letGo` is called. */
  async function holding(accountId: number) {
    const mailRow = {
      template: 'invitation',
      userId: null,
      ids: {},
      addressKey: Buffer.alloc(32),
      isUnasked: true,
    };
    const later = { jobId: randomUUID(), inSeconds: 60 };
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const acted = inOpenAccount(service.db, await authorize(service.db, accountId), async (trx) => {
      const by = { ...activity.operator, email: 'Ann@ann.invalid' };
      await activity.record(trx, { accountId, what: 'signed_in', by });
      await tokens.issue(trx, accountId, 'of Ann');
      const invited = { accountId, email: 'Ann@ann.invalid', role: 'member' as const, invitedBy: null };
      await invitations.create(trx, invited);
      await mails.create(trx, {
        ...mailRow,
        ...later,
        accountId,
        address: 'Ann@ann.invalid',
        mailId: randomUUID(),
      });
      begun.resolve();
      await held.promise;
    });
    await Promise.race([begun.promise, acted]);
    return { acted, letGo: held.resolve };
  }
});

const naming = [
  ...['batches', 'deliveries', 'idempotency_keys', 'monitors', 'activity', 'api_tokens', 'accounts'],
  ...['invitations', 'report_links', 'memberships', 'sessions', 'mails'],
];

/** Returns the rows of an account that name a person or an address for notifications. */
async function findTraces(db: Db, accountId: number, names: RegExp): Promise<string[]> {
  const found: string[] = [];
  for (const table of naming) {
    const { rows } = await sql<{ row: string }>`
      select row_to_json(one)::text as row from ${sql.table(table)} as one
      where account_id = ${accountId}`.execute(db);
    found.push(...rows.map(({ row }) => row).filter((row) => names.test(row)));
  }
  return found;
}
