import { Command, Option } from 'commander';
import { readConfig } from '../config.ts';
import { connect } from '../db/connect.ts';
import { withLocalDefaults } from '../local/kept.ts';
import { OperatorError } from '../operator-error.ts';
import { addAccountCommands } from './account.ts';
import type { Run } from './context.ts';
import { addCreditCommands } from './credits.ts';
import { addKeyCommands } from './key.ts';
import { addLedgerCommands } from './ledger.ts';
import { print } from './output.ts';
import { addProviderCommands } from './provider.ts';
import { addQueueCommands } from './queue.ts';
import { addTokenCommands } from './token.ts';
import { addWebhookCommands } from './webhook.ts';

const program = new Command('npm run admin --')
  .description(
    "Sonde's operator tool. Settings come from the environment, as for web and worker; beside npm start none are needed.",
  )
  .addOption(new Option('--json', 'print JSON, for scripts'))
  .configureHelp({ sortSubcommands: true, showGlobalOptions: true })
  .showHelpAfterError()
  .helpCommand(true);

const run: Run = async (act) => {
  try {
    const config = readConfig(await withLocalDefaults(process.env));
    const connection = connect(config.database.url, 2, () => {});
    try {
      print(await act({ ...connection, config }), Boolean(program.opts().json));
    } finally {
      await connection.close();
    }
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
};

addAccountCommands(program, run);
addTokenCommands(program, run);
addCreditCommands(program, run);
addKeyCommands(program, run);
addLedgerCommands(program, run);
addQueueCommands(program, run);
addProviderCommands(program, run);
addWebhookCommands(program, run);
await program.parseAsync();

function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  const { code, message } = error as { code?: string; message?: string };
  if (code === '42P01') return 'The database has no tables yet: run npm run migrate first.';
  if (code === 'ECONNREFUSED') return 'Nothing answers at DATABASE_URL; beside npm start, start that first.';
  return message || String(error);
}
