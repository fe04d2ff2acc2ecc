import type { Command } from 'commander';
import * as activity from '../db/accounts/activity.ts';
import * as ledger from '../db/ledger/ledger.ts';
import { inTransaction, type Trx } from '../db/postgres/connect.ts';
import type { RunCommand } from './context.ts';
import { parseAmount, parseId, parseSignedAmount } from './options.ts';

export function addCreditCommands(program: Command, run: RunCommand): void {
  const credits = program.command('credits').description("an account's credits");

  credits
    .command('grant')
    .description('add credits')
    .requiredOption('--account <id>', 'account id', parseId)
    .requiredOption('--amount <number>', 'number of credits', parseAmount)
    .option('--note <text>', 'reason; the account sees it')
    .action((options: { account: number; amount: number; note?: string }) =>
      run(({ db }) =>
        inTransaction(db, async (trx) => {
          const credits = await ledger.grant(trx, options.account, options.amount, options.note ?? null);
          await recordActivity(trx, 'credits_granted', options);
          return { credits };
        }),
      ),
    );

  credits
    .command('adjust')
    .description('correct the balance up or down')
    .requiredOption('--account <id>', 'account id', parseId)
    .requiredOption('--amount <number>', 'number of credits to add, such as 100 or -100', parseSignedAmount)
    .requiredOption('--note <text>', 'reason; the account sees it')
    .action((options: { account: number; amount: number; note: string }) =>
      run(({ db }) =>
        inTransaction(db, async (trx) => {
          const credits = await ledger.adjust(trx, options.account, options.amount, options.note);
          await recordActivity(trx, 'credits_adjusted', options);
          return { credits };
        }),
      ),
    );
}

function recordActivity(
  trx: Trx,
  what: 'credits_granted' | 'credits_adjusted',
  { account: accountId, amount, note = '' }: { account: number; amount: number; note?: string },
): Promise<void> {
  const about = [String(amount), note].filter(Boolean).join(': ');
  return activity.record(trx, { accountId, what, by: activity.operator, about });
}
