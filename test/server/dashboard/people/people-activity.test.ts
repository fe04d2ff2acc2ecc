import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import * as factorActs from '../../../../accounts/second-factor.ts';
import * as activity from '../../../../db/accounts/activity.ts';
import * as factors from '../../../../db/accounts/second-factors.ts';
import * as tokens from '../../../../db/accounts/tokens.ts';
import { findByEmail } from '../../../../db/accounts/user-emails.ts';
import * as users from '../../../../db/accounts/users.ts';
import { inTransaction } from '../../../../db/postgres/connect.ts';
import { createSecretBox } from '../../../../process/secret-box.ts';
import { FormClient } from '../../../support/dashboard.ts';
import { runAdmin } from '../../../support/operator.ts';
import { secretKey, useService } from '../../../support/service.ts';

describe('the activity log', () => {
  const service = useService({ SIGNUP: 'open' });
  let browser: FormClient;
  let accountId: number;
  let userId: number;
  const email = 'ada@example.com';

  before(async () => {
    browser = new FormClient(service.baseUrl);
    const password = 'correct horse';
    expect((await browser.post('/sign-up', { email, password })).location).to.equal('/');
    userId = (await findByEmail(service.db, email))?.userId ?? 0;
    accountId = (await users.findOpenAccount(service.db, userId)) ?? 0;
  });

  const rows = () => activity.list(service.db, accountId, { limit: 1000 });
  /** Returns the entries after an id, oldest first. */
  const since = async (last: number) =>
    (await rows()).filter(({ activityId }) => activityId > last).toReversed();
  const last = async () => (await rows())[0]?.activityId ?? 0;
  const admin = async (...args: string[]) => {
    const { code, out, err } = await runAdmin(service, args);
    expect(code, err).to.equal(0);
    return out;
  };

  it('records sign-up, sign-in and a new password, with user and address', async () => {
    const shown = (found: activity.ActivityRow[]) =>
      found.map(({ what, email: who, address }) => [what, who, address]);
    const here = '127.0.0.1';
    expect(shown(await since(0))).to.deep.equal([
      ['signed_up', email, here],
      ['signed_in', email, here],
    ]);
    const before = await last();
    const change = { email, password: 'correct horse', new_password: 'a better password' };
    await browser.post('/settings/password', change);
    await browser.post('/sign-out');
    expect((await browser.post('/sign-in', { email, password: 'wrong password' })).status).to.equal(401);
    await browser.post('/sign-in', { email, password: 'a better password' });
    expect(shown(await since(before))).to.deep.equal([
      ['password_changed', email, here],
      ['signed_in', email, here],
    ]);
  });

  it('records second factors in every account of a user', async () => {
    const other = await service.account(0);
    await sql`insert into memberships (account_id, user_id, role) values (${other.accountId}, ${userId}, 'viewer')`.execute(
      service.db,
    );
    const before = await last();
    const post = { boss: null as never, mail: 'off' } as const;
    const person = { userId, address: '192.0.2.7' };
    await factors.addUnconfirmedTotp(service.db, createSecretBox(secretKey), userId, 'JBSWY3DPEHPK3PXP');
    const added = await inTransaction(service.db, (trx) => factorActs.addTotp(trx, post, person, 1));
    const [code = ''] = added?.recoveryCodes ?? [];
    const recover = (code: string) =>
      inTransaction(service.db, (trx) => factorActs.redeemRecoveryCode(trx, post, person, code));
    expect(await recover('AAAA-AAAA-AAAA-AAAA')).to.equal(false);
    expect(await recover(code)).to.equal(true);
    await inTransaction(service.db, (trx) => factorActs.renewRecoveryCodes(trx, person));
    await inTransaction(service.db, (trx) => factorActs.removeFactor(trx, post, person, 'app'));
    const noted = [
      ['factor_added', 'an app', '192.0.2.7'],
      ['recovery_code_used', null, '192.0.2.7'],
      ['recovery_codes_renewed', null, '192.0.2.7'],
      ['factor_removed', 'an app', '192.0.2.7'],
    ];
    const shown = (found: activity.ActivityRow[]) => found.map((one) => [one.what, one.about, one.address]);
    expect(shown(await since(before))).to.deep.equal(noted);
    const elsewhere = await activity.list(service.db, other.accountId, { limit: 9 });
    expect(shown(elsewhere.toReversed())).to.deep.equal(noted);
  });

  it('records links to reports', async () => {
    // Adding a factor has ended every session.
    await browser.post('/sign-in', { email, password: 'a better password' });
    const token = await tokens.issue(service.db, accountId, 'test', { userId });
    const body = { urls: ['none'], on_invalid: 'skip' };
    const { batch_id: id } = (await service.call('/check/bulk', { token, body })).body;
    const page = `/batches/${id}`;
    const before = await last();
    await browser.post(`${page}/share`, { days: '7' });
    const path = /\/batches\/[^/"]+\/share\/\d+\/revoke/.exec((await browser.get(page)).text)?.[0] ?? '';
    await browser.post(path);
    expect((await since(before)).map(({ what, email: who, about }) => [what, who, about])).to.deep.equal([
      ['report_shared', email, id],
      ['report_revoked', email, id],
    ]);
  });

  it('records actions of the operator without a user', async () => {
    const before = await last();
    const account = ['--account', String(accountId)];
    await admin('credits', 'grant', ...account, '--amount', '5', '--note', 'for ten');
    await admin('credits', 'adjust', ...account, '--amount', '-2', '--note', 'as agreed');
    await admin('account', 'disable', ...account);
    await admin('account', 'enable', ...account);
    await admin('account', 'password', ...account, '--email', email, '--password', 'chosen by him');
    const { token } = JSON.parse(await admin('token', 'create', ...account, '--name', 'crawl', '--json'));
    await admin('token', 'revoke', '--token', token);
    const noted = await since(before);
    expect(noted.map(({ what, about }) => [what, about])).to.deep.equal([
      ['credits_granted', '5: for ten'],
      ['credits_adjusted', '-2: as agreed'],
      ['account_disabled', null],
      ['account_enabled', null],
      ['password_changed', email],
      ['token_made', 'crawl'],
      ['token_revoked', 'crawl'],
    ]);
    for (const { email: who, address } of noted) expect([who, address]).to.deep.equal([null, null]);
  });

  it('is exported completely as CSV, without formulas', async () => {
    await sql`
      insert into activity (account_id, what, about, email, noted_at)
      select ${accountId}, 'token_made', number::text, '=1+1', date_trunc('milliseconds', now())
      from generate_series(1, 1203) as number`.execute(service.db);
    const session = new FormClient(service.baseUrl);
    await session.post('/sign-in', { email, password: 'chosen by him' });
    const answer = await session.get('/activity.csv');
    expect(answer.headers.get('content-type')).to.match(/^text\/csv/);
    expect(answer.headers.get('content-disposition')).to.contain('activity.csv');
    const saved: Record<string, string>[] = parse(answer.text, { columns: true, bom: true });
    const all = await activity.list(service.db, accountId, { limit: 5000 });
    expect(saved).to.have.length(all.length);
    expect(all.length).to.be.greaterThan(1203);
    expect(saved.filter((row) => row.email === "'=1+1")).to.have.length(1203);
    // The file has each entry once, in the order of the list.
    const abouts = saved.map(({ about = '' }) => about.replace(/^'/, ''));
    expect(abouts).to.deep.equal(all.map(({ about }) => about ?? ''));
  });
});
