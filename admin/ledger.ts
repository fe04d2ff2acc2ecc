import type { Command } from 'commander';
import { touchedSince, verify } from '../db/ledger-verify.ts';
import { passState } from '../upkeep/ledger-pass.ts';
import type { Run } from './context.ts';

const recentDays = 2;

export function addLedgerCommands(program: Command, run: Run): void {
  program
    .command('ledger')
    .description('the books')
    .command('verify')
    .description(
      `prove that every credit is accounted for; accounts of the last ${recentDays} days, or all; and how far the pass over everything is`,
    )
    .option('--all', 'every account')
    .action(({ all }: { all?: boolean }) =>
      run(async ({ db, fail }) => {
        const since = new Date(Date.now() - recentDays * 24 * 3600 * 1000);
        const verification = await verify(db, all ? 'all' : await touchedSince(db, since));
        if (!verification.ok) fail();
        return { ...verification, pass: await passState(db) };
      }),
    );
}
