import type { Command } from 'commander';
import { openAccount } from '../accounts/open.ts';
import { removeAllFactors } from '../accounts/second-factor.ts';
import * as accounts from '../db/accounts/accounts.ts';
import * as activity from '../db/accounts/activity.ts';
import type { Member } from '../db/accounts/memberships.ts';
import * as memberships from '../db/accounts/memberships.ts';
import { lockRights } from '../db/accounts/rights.ts';
import * as sessions from '../db/accounts/sessions.ts';
import { findByEmail } from '../db/accounts/user-emails.ts';
import * as users from '../db/accounts/users.ts';
import { type Db, inTransaction } from '../db/postgres/connect.ts';
import { createSecretBox } from '../process/secret-box.ts';
import { withBoss } from './boss.ts';
import type { AdminContext, RunCommand } from './context.ts';
import { createPasswordParser, parseAmount, parseEmailOption, parseId } from './options.ts';
import { readSecret } from './secrets.ts';

const passwordHelp =
  'for the dashboard, 10 characters or more. Safer: omit this option, and type or pipe the password';

export function addAccountCommands(program: Command, run: RunCommand): void {
  const account = program.command('account').description('accounts, their members and passwords');

  account
    .command('create')
    .description('create an account with its first user, token and webhook secret')
    .requiredOption('--email <email>', 'email address of the first user', parseEmailOption)
    .option('--password <password>', passwordHelp)
    .option('--credits <number>', 'initial credits', parseAmount)
    .action((options: NewAccount) =>
      run(async ({ db, config, prompt }) => {
        const { email, credits } = options;
        const passwordHash = await users.hashPassword(
          await readSecret('password', options.password, createPasswordParser(email), prompt),
        );
        const account = {
          user: { email, passwordHash },
          credits: { amount: credits ?? 0, note: 'first credits' },
          tokenName: 'first token',
        };
        const secretBox = createSecretBox(config.secretKey, config.previousSecretKey);
        const opened = await inTransaction(db, (trx) => openAccount(trx, secretBox, account));
        const { accountId, token, webhookSecret } = opened;
        return { accountId, email, token, webhookSecret };
      }),
    );

  account
    .command('list')
    .description('list all accounts with their credits')
    .action(() => run(({ db }) => accounts.list(db)));

  account
    .command('disable')
    .description('disable an account; its tokens are invalid from the next request on')
    .requiredOption('--account <id>', 'account id', parseId)
    .action(({ account: accountId }: { account: number }) =>
      run(async ({ db }) => {
        await inTransaction(db, async (trx) => {
          if (!(await accounts.exists(trx, accountId)))
            throw new Error(`Account ${accountId} does not exist.`);
          await accounts.disable(trx, accountId);
          await activity.record(trx, { accountId, what: 'account_disabled', by: activity.operator });
        });
        return { accountId, isDisabled: true };
      }),
    );

  account
    .command('enable')
    .description('enable a disabled account and its tokens again')
    .requiredOption('--account <id>', 'account id', parseId)
    .action(({ account: accountId }: { account: number }) =>
      run(async ({ db }) => {
        if ((await users.findFirstOwner(db, accountId)) === null) {
          throw new Error(`Account ${accountId} does not exist, has no user, or was deleted by its user.`);
        }
        await inTransaction(db, async (trx) => {
          await accounts.enable(trx, accountId);
          await activity.record(trx, { accountId, what: 'account_enabled', by: activity.operator });
        });
        return { accountId, isDisabled: false };
      }),
    );

  account
    .command('password')
    .description('set the password of a user and sign them out')
    .requiredOption('--account <id>', 'account id', parseId)
    .option('--email <email>', 'email address, if the account has several users', parseEmailOption)
    .option('--password <password>', passwordHelp)
    .action((options: { account: number; email?: string; password?: string }) =>
      run(async ({ db, prompt }) => {
        const member = findMember(await memberships.list(db, options.account), options);
        const chosen = await readSecret(
          'password',
          options.password,
          createPasswordParser(member.email),
          prompt,
        );
        await setPassword(db, member.userId, chosen);
        return { accountId: options.account, email: member.email };
      }),
    );

  account
    .command('members')
    .description('list the members of an account with their roles')
    .requiredOption('--account <id>', 'account id', parseId)
    .action((options: { account: number }) => run(({ db }) => memberships.list(db, options.account)));

  account
    .command('second-factor')
    .description('remove the second factors of a user who lost them, and sign the user out')
    .requiredOption('--email <email>', 'email address of the user', parseEmailOption)
    .requiredOption('--remove', 'confirms that all second factors and recovery codes are removed')
    .action((options: { email: string }) => run((context) => removeSecondFactor(context, options.email)));
}

async function setPassword(db: Db, userId: number, chosen: string): Promise<void> {
  // The password is hashed before the transaction, because hashing is slow.
  const passwordHash = await users.hashPassword(chosen);
  await inTransaction(db, async (trx) => {
    await lockRights(trx, `user ${userId}`);
    await users.setPasswordHash(trx, userId, passwordHash);
    await sessions.endAll(trx, userId);
    const byOperator = { what: 'password_changed', address: null, by: activity.operator } as const;
    await activity.recordForUser(trx, userId, byOperator);
  });
}

async function removeSecondFactor(context: AdminContext, address: string) {
  const { db, config } = context;
  const userId = (await findByEmail(db, address))?.userId ?? null;
  if (userId === null) throw new Error(`No user has the email address ${address}.`);
  return withBoss(context, async (boss) => {
    const isRemoved = await inTransaction(db, async (trx) => {
      await lockRights(trx, `user ${userId}`);
      return removeAllFactors(trx, { boss, mail: config.mail.mode }, userId);
    });
    if (!isRemoved) throw new Error(`${address} has no second factor.`);
    return { userId, email: address, isRemoved };
  });
}

/** Returns the only member, or the member with the given address. */
function findMember(members: Member[], { account, email }: { account: number; email?: string }): Member {
  if (members.length === 0) throw new Error(`Account ${account} has no user.`);
  const named = email === undefined ? members : members.filter((one) => sameEmail(one.email, email));
  const [only] = named;
  if (only && named.length === 1) return only;
  const choice = members.map((one) => one.email).join(', ');
  throw new Error(`Choose a user of account ${account} with --email: ${choice}.`);
}

const sameEmail = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

interface NewAccount {
  email: string;
  password?: string;
  credits?: number;
}
