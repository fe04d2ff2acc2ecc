import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import * as activity from '../../../db/accounts/activity.ts';
import * as memberships from '../../../db/accounts/memberships.ts';
import { hashKey } from '../../../db/accounts/random-key.ts';
import * as factors from '../../../db/accounts/second-factors.ts';
import * as sessions from '../../../db/accounts/sessions.ts';
import * as steps from '../../../db/accounts/sign-in-steps.ts';
import * as users from '../../../db/accounts/users.ts';
import * as reportLinks from '../../../db/batches/report-links.ts';
import * as mailLinks from '../../../db/notifications/mail-links.ts';
import { inTransaction } from '../../../db/postgres/connect.ts';
import { createLinkTokens } from '../../../mail/tokens.ts';
import { createSecretBox } from '../../../process/secret-box.ts';
import type { TestAccount } from '../../support/accounts.ts';
import { secretKey, type TestService } from '../../support/service.ts';

/** Ways in and out that lead through no menu, and what people did. */
export interface Doors {
  /** Paths of links in mails, each for a picture in which nothing is pressed. */
  reset: string;
  confirm: string;
  signIn: string;
  unsubscribe: string;
  report: string;
  /** Somebody whose sign-in asks for a second factor: the step that waits, and a session that is past it. */
  step: string;
  careful: string;
  /** A session of somebody who only looks. */
  viewer: string;
}

/** `owner` gets what was done in the account; `report` is shown by a link. */
export async function setDoors(
  service: TestService,
  owner: TestAccount,
  report: { accountId: number; batchId: string },
): Promise<Doors> {
  const { db } = service;
  const { accountId } = owner;
  const tokens = createLinkTokens(secretKey, null);
  const careful = await service.account(40);
  const userId = await users.create(db, {
    accountId: careful.accountId,
    email: 'mia@shop.example',
    passwordHash: null,
  });
  const link = (purpose: mailLinks.LinkPurpose) =>
    inTransaction(db, async (trx) => {
      const linkId = await mailLinks.create(trx, { purpose, userId, lifeMinutes: 600 });
      const token = tokens.tokenOf({ purpose, linkId, expiresAt: new Date() });
      await mailLinks.setHash(trx, linkId, hashKey(token));
      return token;
    });
  const doors = {
    reset: `/reset?token=${await link('reset')}`,
    confirm: `/confirm?token=${await link('confirm')}`,
    signIn: `/sign-in/link/follow?token=${await link('sign_in')}`,
    unsubscribe: `/unsubscribe?token=${tokens.optOutToken({ userId, accountId: careful.accountId, list: 'credits' })}`,
    report: `/report?key=${await reportLinks.make(db, report, 30)}`,
    careful: await sessions.begin(db, userId),
  };
  const secret = new Secret().base32;
  await factors.beginTotp(db, createSecretBox(secretKey), userId, secret);
  await factors.takeStep(db, userId, TOTP.counter());
  const codes = ['ABCD-EFGH-IJKL-MNOP', 'QRST-UVWX-YZ23-4567'];
  await inTransaction(db, (trx) => factors.setRecoveryCodes(trx, userId, codes));

  const looker = await users.create(db, { accountId, email: 'vera@shop.example', passwordHash: null });
  await memberships.setRole(db, accountId, looker, 'viewer');
  await act(service, accountId);
  const viewer = await sessions.begin(db, looker, { accountId });
  return { ...doors, viewer, step: await steps.begin(db, userId, '/') };
}

/** What the list of activity shows: people, a program and the operator, over three days. */
async function act({ db }: TestService, accountId: number): Promise<void> {
  const address = '203.0.113.7';
  const person = (email: string) => ({ userId: null, email, token: null, address });
  const [ada, grace] = [person('ada@shop.example'), person('grace@shop.example')];
  const program = { ...ada, token: { tokenId: 1, name: 'Nightly crawl' }, address: '2001:db8::42' };
  const done = [
    { what: 'signed_up', by: ada },
    { what: 'credits_granted', by: activity.operator, about: '5,000' },
    { what: 'factor_added', by: ada, about: 'an app' },
    { what: 'token_made', by: ada, about: 'Reports of the agency' },
    { what: 'member_invited', by: ada, about: 'grace@shop.example as member' },
    { what: 'member_joined', by: grace, about: 'member' },
    { what: 'report_shared', by: grace, about: 'October crawl, every page of the shop and of its blog' },
    { what: 'secret_rotated', by: program },
    { what: 'member_role_changed', by: ada, about: 'grace@shop.example to viewer' },
    { what: 'sessions_ended', by: grace },
  ] as const;
  for (const one of done) await activity.note(db, { accountId, ...one });
  await sql`update activity set noted_at = now() - (${done.length} - n) * interval '7 hours'
    from (select activity_id, row_number() over (order by activity_id) as n from activity
      where account_id = ${accountId}) as numbered
    where activity.account_id = ${accountId} and activity.activity_id = numbered.activity_id`.execute(db);
}
