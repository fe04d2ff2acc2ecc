import type { Command } from 'commander';
import * as accounts from '../db/accounts/accounts.ts';
import * as activity from '../db/accounts/activity.ts';
import { requireOpen } from '../db/accounts/open-account.ts';
import { lockRights } from '../db/accounts/rights.ts';
import * as tokens from '../db/accounts/tokens.ts';
import { inTransaction } from '../db/postgres/connect.ts';
import { type Scope, scopes } from '../schemas/scopes.ts';
import type { RunCommand } from './context.ts';
import { createEnumParser, parseFutureTime, parseId } from './options.ts';
import { readSecret, type SecretPrompt, stdinMarker } from './secrets.ts';

export function addTokenCommands(program: Command, run: RunCommand): void {
  const token = program.command('token').description("an account's API tokens");

  token
    .command('create')
    .description('create a token and show it once')
    .requiredOption('--account <id>', 'account id', parseId)
    .option('--name <name>', 'label', 'made by the operator')
    .option('--scope <scope>', scopes.join(', '), createEnumParser(scopes), 'manage')
    .option('--test', 'create a test token: answers are simulated and free')
    .option('--expires <time>', 'expiry date, such as 2027-01-31; default: no expiry', parseFutureTime)
    .action((options: { account: number; name: string; scope: Scope; test?: true; expires?: Date }) =>
      run(async ({ db }) => {
        if (!(await accounts.exists(db, options.account)))
          throw new Error(`Account ${options.account} does not exist.`);
        const { scope, expires: expiresAt = null, test: isTest = false } = options;
        const name = options.name.slice(0, 100);
        const token = await inTransaction(db, async (trx) => {
          await requireOpen(trx, options.account);
          const made = await tokens.issue(trx, options.account, name, { scope, expiresAt, isTest });
          const action = { accountId: options.account, by: activity.operator, about: name };
          await activity.record(trx, { ...action, what: 'token_made' });
          return made;
        });
        return { token };
      }),
    );

  token
    .command('list')
    .description('list the tokens of an account with name and last four characters')
    .requiredOption('--account <id>', 'account id', parseId)
    .action((options: { account: number }) => run(({ db }) => tokens.list(db, options.account)));

  token
    .command('revoke')
    .description('revoke a token; it is invalid from the next request on')
    .requiredOption(
      '--token <token or id>',
      'id from `token list`, or the token itself; - reads it from standard input',
    )
    .action((options: { token: string }) =>
      run(async ({ db, prompt }) => {
        const ref = await readTokenRef(options.token, prompt);
        await inTransaction(db, async (trx) => {
          const found = await tokens.find(trx, ref);
          if (!found) throw new Error('This token does not exist.');
          const { accountId, tokenId, name: about } = found;
          await lockRights(trx, `token ${tokenId}`);
          await tokens.revoke(trx, accountId, tokenId);
          await activity.record(trx, { accountId, what: 'token_revoked', by: activity.operator, about });
        });
        return { isRevoked: true };
      }),
    );
}

/** Reads a token as a secret. Reads an id without a prompt or a warning, because an id is not a secret. */
async function readTokenRef(given: string, asking: SecretPrompt): Promise<tokens.PlainToken | number> {
  const isToken = given === stdinMarker || tokens.parseToken(given) !== null;
  return isToken
    ? readSecret('token', given, (text) => tokens.parseToken(text) ?? parseId(text), asking)
    : parseId(given);
}
