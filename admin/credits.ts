import type { Command } from 'commander';
import { inTransaction } from '../db/connect.ts';
import * as ledger from '../db/ledger.ts';
import type { Run } from './context.ts';
import { amount, id, signedAmount } from './options.ts';

export function addCreditCommands(program: Command, run: Run): void {
  const credits = program.command('credits').description("an account's credits");

  credits
    .command('grant')
    .description('add credits')
    .requiredOption('--account <id>', 'to whom', id)
    .requiredOption('--amount <number>', 'how many', amount)
    .option('--note <text>', 'what for; the account holder sees it')
    .action((options: { account: number; amount: number; note?: string }) =>
      run(({ db }) =>
        inTransaction(db, async (trx) => ({
          credits: await ledger.grant(trx, options.account, options.amount, options.note ?? null),
        })),
      ),
    );

  credits
    .command('adjust')
    .description('correct credits up or down')
    .requiredOption('--account <id>', 'whose', id)
    .requiredOption('--amount <number>', 'by how many, such as -100', signedAmount)
    .requiredOption('--note <text>', 'why; the account holder sees it')
    .action((options: { account: number; amount: number; note: string }) =>
      run(({ db }) =>
        inTransaction(db, async (trx) => ({
          credits: await ledger.adjust(trx, options.account, options.amount, options.note),
        })),
      ),
    );
}
