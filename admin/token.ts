import type { Command } from 'commander';
import * as accounts from '../db/accounts.ts';
import * as tokens from '../db/tokens.ts';
import type { Run } from './context.ts';
import { id } from './options.ts';
import { type Asking, fromStandardInput, secretOf } from './secrets.ts';

export function addTokenCommands(program: Command, run: Run): void {
  const token = program.command('token').description("an account's API tokens");

  token
    .command('create')
    .description('make a token and show it, for the only time')
    .requiredOption('--account <id>', 'whose', id)
    .option('--name <name>', 'to recognise it by', 'made by the operator')
    .action((options: { account: number; name: string }) =>
      run(async ({ db }) => {
        if (!(await accounts.find(db, options.account)))
          throw new Error(`There is no account ${options.account}.`);
        return { token: await tokens.issue(db, options.account, options.name.slice(0, 100)) };
      }),
    );

  token
    .command('list')
    .description('tokens of an account by name and last four characters')
    .requiredOption('--account <id>', 'whose', id)
    .action((options: { account: number }) => run(({ db }) => tokens.list(db, options.account)));

  token
    .command('revoke')
    .description('make a token invalid from the next request on')
    .requiredOption(
      '--token <token or id>',
      'its id from `token list`, or the token itself; - reads it from standard input',
    )
    .action((options: { token: string }) =>
      run(async ({ db, asking }) => {
        const which = await whichToken(options.token, asking);
        if (!(await tokens.revokeAny(db, which))) throw new Error('There is no such token.');
        return { isRevoked: true };
      }),
    );
}

/** An id is no secret, and may stand in the list of processes. */
async function whichToken(given: string, asking: Asking): Promise<tokens.PlainToken | number> {
  const isToken = given === fromStandardInput || tokens.parseToken(given) !== null;
  return isToken
    ? secretOf('token', given, (text) => tokens.parseToken(text) ?? id(text), asking)
    : id(given);
}
