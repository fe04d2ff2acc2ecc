import type { Command } from 'commander';
import { open } from '../accounts/open.ts';
import { removeAll } from '../accounts/second-factor.ts';
import * as accounts from '../db/accounts/accounts.ts';
import * as activity from '../db/accounts/activity.ts';
import type { Member } from '../db/accounts/memberships.ts';
import * as memberships from '../db/accounts/memberships.ts';
import { lockRights } from '../db/accounts/rights.ts';
import * as sessions from '../db/accounts/sessions.ts';
import * as users from '../db/accounts/users.ts';
import { type Db, inTransaction } from '../db/postgres/connect.ts';
import { createSecretBox } from '../process/secret-box.ts';
import { withBoss } from './boss.ts';
import type { AdminContext, Run } from './context.ts';
import { amount, email, id, passwordOf } from './options.ts';
import { secretOf } from './secrets.ts';

const passwordWords =
  'for the dashboard, 10 characters or more; better left out: then it is asked for, or read from standard input';

export function addAccountCommands(program: Command, run: Run): void {
  const account = program.command('account').description('who pays: accounts and their passwords');

  account
    .command('create')
    .description('make an account, its first user, token and webhook secret')
    .requiredOption('--email <email>', 'of the account holder', email)
    .option('--password <password>', passwordWords)
    .option('--credits <number>', 'to begin with', amount)
    .action((options: NewAccount) =>
      run(async ({ db, config, asking }) => {
        const { email, credits } = options;
        const passwordHash = await users.hashPassword(
          await secretOf('password', options.password, passwordOf(email), asking),
        );
        const account = {
          user: { email, passwordHash },
          credits: { amount: credits ?? 0, note: 'first credits' },
          tokenName: 'first token',
        };
        const box = createSecretBox(config.secretKey, config.previousSecretKey);
        const opened = await inTransaction(db, (trx) => open(trx, box, account));
        const { accountId, token, webhookSecret } = opened;
        return { accountId, email, token, webhookSecret };
      }),
    );

  account
    .command('list')
    .description('every account with its credits')
    .action(() => run(({ db }) => accounts.list(db)));

  account
    .command('disable')
    .description('make all tokens of an account invalid from the next request on')
    .requiredOption('--account <id>', 'its id', id)
    .action(({ account: accountId }: { account: number }) =>
      run(async ({ db }) => {
        await inTransaction(db, async (trx) => {
          if (!(await accounts.disable(trx, accountId))) throw new Error(`There is no account ${accountId}.`);
          await activity.note(trx, { accountId, what: 'account_disabled', by: activity.operator });
        });
        return { accountId, isDisabled: true };
      }),
    );

  account
    .command('enable')
    .description('make a disabled account and its tokens valid again')
    .requiredOption('--account <id>', 'its id', id)
    .action(({ account: accountId }: { account: number }) =>
      run(async ({ db }) => {
        if ((await users.firstOf(db, accountId)) === null) {
          throw new Error(`Account ${accountId} is not there, has no user, or was deleted by its holder.`);
        }
        await inTransaction(db, async (trx) => {
          await accounts.enable(trx, accountId);
          await activity.note(trx, { accountId, what: 'account_enabled', by: activity.operator });
        });
        return { accountId, isDisabled: false };
      }),
    );

  account
    .command('password')
    .description('set the password of a person of an account and sign him out')
    .requiredOption('--account <id>', 'its id', id)
    .option('--email <email>', 'whose, where the account has several members', email)
    .option('--password <password>', passwordWords)
    .action((options: { account: number; email?: string; password?: string }) =>
      run(async ({ db, asking }) => {
        const member = memberOf(await memberships.list(db, options.account), options);
        const chosen = await secretOf('password', options.password, passwordOf(member.email), asking);
        await setPassword(db, member.userId, chosen);
        return { accountId: options.account, email: member.email };
      }),
    );

  account
    .command('members')
    .description('who is in an account, as what')
    .requiredOption('--account <id>', 'its id', id)
    .action((options: { account: number }) => run(({ db }) => memberships.list(db, options.account)));

  account
    .command('second-factor')
    .description('remove the second factors of somebody who has lost them, and sign him out')
    .requiredOption('--email <email>', 'whose', email)
    .requiredOption('--remove', 'all of them, with the recovery codes')
    .action((options: { email: string }) => run((context) => removeSecondFactor(context, options.email)));
}

async function setPassword(db: Db, userId: number, chosen: string): Promise<void> {
  // Outside of the transaction: it takes a while.
  const passwordHash = await users.hashPassword(chosen);
  await inTransaction(db, async (trx) => {
    await lockRights(trx, `user ${userId}`);
    await users.setPasswordHash(trx, userId, passwordHash);
    await sessions.endAll(trx, userId);
    const byOperator = { what: 'password_changed', address: null, by: activity.operator } as const;
    await activity.noteOfPerson(trx, userId, byOperator);
  });
}

async function removeSecondFactor(context: AdminContext, address: string) {
  const { db, config } = context;
  const userId = await users.findByEmail(db, address);
  if (userId === null) throw new Error(`Nobody signs in with ${address}.`);
  return withBoss(context, async (boss) => {
    const isRemoved = await inTransaction(db, async (trx) => {
      await lockRights(trx, `user ${userId}`);
      return removeAll(trx, { boss, mail: config.mail.mode }, userId);
    });
    if (!isRemoved) throw new Error(`${address} has no second factor.`);
    return { userId, email: address, isRemoved };
  });
}

/** The only member, or the one who is named. */
function memberOf(members: Member[], { account, email }: { account: number; email?: string }): Member {
  if (members.length === 0) throw new Error(`Account ${account} has no user.`);
  const named = email === undefined ? members : members.filter((one) => sameEmail(one.email, email));
  const [only] = named;
  if (only && named.length === 1) return only;
  const choice = members.map((one) => one.email).join(', ');
  throw new Error(`Say whose by --email: account ${account} has ${choice}.`);
}

const sameEmail = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

interface NewAccount {
  email: string;
  password?: string;
  credits?: number;
}
