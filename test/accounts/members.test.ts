import { expect } from 'chai';
import { sql } from 'kysely';
import * as members from '../../accounts/members.ts';
import * as activity from '../../db/accounts/activity.ts';
import * as memberships from '../../db/accounts/memberships.ts';
import { lockRights } from '../../db/accounts/rights.ts';
import * as sessions from '../../db/accounts/sessions.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import * as users from '../../db/accounts/users.ts';
import { inTransaction, type Trx } from '../../db/postgres/connect.ts';
import type { ApiError } from '../../process/api-error.ts';
import type { Role } from '../../schemas/members.ts';
import { useRecords } from '../support/records.ts';

describe('the members of an account', () => {
  const records = useRecords();
  let people = 0;

  /** Creates a person whose first account this is. */
  function person(accountId: number, role: Role = 'owner'): Promise<number> {
    people += 1;
    const email = `person-${people}@example.com`;
    return users.create(records.db, { accountId, email, passwordHash: null, role });
  }

  const join = (accountId: number, userId: number, role: Role) =>
    inTransaction(records.db, (trx) => memberships.add(trx, accountId, userId, role));
  const listRoles = async (accountId: number) =>
    (await memberships.list(records.db, accountId)).map(({ role }) => role);
  const by = (userId: number) => ({ ...activity.operator, userId });
  const toErrorName = (act: Promise<unknown>) =>
    act.then(
      () => 'done',
      (error: ApiError) => error.code,
    );

  const withRights = <T>(userId: number, act: (trx: Trx) => Promise<T>) =>
    inTransaction(records.db, async (trx) => {
      await lockRights(trx, `user ${userId}`);
      return act(trx);
    });
  const removing = (subject: Parameters<typeof members.removeFromAccount>[1]) =>
    withRights(subject.userId, (trx) => members.removeFromAccount(trx, subject));

  it('keep their last owner when all leave at once', async () => {
    const accountId = await records.account();
    const owners = await Promise.all(Array.from({ length: 5 }, () => person(accountId)));
    const words = await Promise.all(
      owners.map((userId, index) => {
        const subject = { accountId, userId, by: by(userId) };
        return toErrorName(
          index % 2
            ? removing(subject)
            : withRights(userId, (trx) => members.changeRole(trx, subject, 'viewer')),
        );
      }),
    );
    expect(words.filter((word) => word === 'last_owner')).to.have.length(1);
    expect((await listRoles(accountId)).filter((role) => role === 'owner')).to.have.length(1);
  });

  it('lose only the tokens and sessions of this account when they are removed', async () => {
    const [here, elsewhere] = [await records.account(), await records.account()];
    const owner = await person(here);
    const userId = await person(here, 'member');
    await join(elsewhere, userId, 'member');
    await person(elsewhere);
    const issueToken = async (accountId: number) => tokens.issue(records.db, accountId, 'mine', { userId });
    const [tokenHere, tokenElsewhere] = [await issueToken(here), await issueToken(elsewhere)];
    const home = await sessions.begin(records.db, userId);
    const other = await sessions.begin(records.db, userId, { accountId: elsewhere });
    expect(await sessions.find(records.db, home, { isUse: true })).to.include({
      accountId: here,
      role: 'member',
    });

    await removing({ accountId: here, userId, by: by(owner) });
    expect(await tokens.findCaller(records.db, tokenHere)).to.equal(null);
    expect(await tokens.findCaller(records.db, tokenElsewhere)).to.include({ accountId: elsewhere });
    expect(await sessions.find(records.db, home, { isUse: true })).to.equal(null);
    expect(await sessions.find(records.db, other, { isUse: true })).to.include({ accountId: elsewhere });
    // A new sign-in opens an account of which the person is still a member.
    expect(await users.findOpenAccount(records.db, userId)).to.equal(elsewhere);
    const [last] = await activity.list(records.db, here, { limit: 1 });
    const email = (await memberships.find(records.db, elsewhere, userId))?.email;
    expect(last).to.include({ what: 'member_removed', about: `${email}. Revoked: 1 token.` });
  });

  it('are erased when two requests at once remove them from their two accounts', async () => {
    const [one, two] = [await records.account(), await records.account()];
    await person(one);
    await person(two);
    const userId = await person(one, 'viewer');
    await join(two, userId, 'viewer');
    await Promise.all([one, two].map((accountId) => removing({ accountId, userId, by: by(userId) })));
    const { rows } = await sql`select from users where user_id = ${userId}`.execute(records.db);
    expect(rows).to.have.length(0);
  });
});
