import { Command, CommanderError, Option } from 'commander';
import { type Environment, readConfig } from '../config/config.ts';
import { storeKeyCanary } from '../db/accounts/secret-rotation.ts';
import { connect } from '../db/postgres/connect.ts';
import { countWork } from '../db/queue/job-windows.ts';
import { withLocalDefaults } from '../local/data-folder.ts';
import { OperatorError } from '../process/operator-error.ts';
import { createSecretBox } from '../process/secret-box.ts';
import { purge } from '../upkeep/retention.ts';
import { addAccountCommands } from './account.ts';
import type { RunCommand } from './context.ts';
import { addCreditCommands } from './credits.ts';
import { addLedgerCommands } from './ledger.ts';
import { addMailCommands } from './mail.ts';
import { addMonitorCommands } from './monitor.ts';
import { formatResult } from './output.ts';
import { addProviderCommands } from './provider.ts';
import type { SecretPrompt } from './secrets.ts';
import { addTokenCommands } from './token.ts';
import { addWebhookCommands } from './webhook.ts';

interface AdminIo {
  env: Environment;
  input: SecretPrompt['input'];
  out(text: string): void;
  err(text: string): void;
}

/** Runs one command. `args` follow `npm run admin --`. Returns the exit code. */
export async function runAdminCommand(args: string[], { env, input, out, err }: AdminIo): Promise<number> {
  let exitCode = 0;
  const fail = () => {
    exitCode = 1;
  };
  const program = new Command('npm run admin --')
    .description(
      "Sonde's operator tool. Reads the same environment variables as web and worker. If you run Sonde with npm start, none are required.",
    )
    .addOption(new Option('--json', 'print JSON, for scripts'))
    .configureHelp({ sortSubcommands: true, showGlobalOptions: true })
    .configureOutput({ writeOut: out, writeErr: err })
    .showHelpAfterError()
    .helpCommand(true)
    .exitOverride();

  const run: RunCommand = async (command) => {
    try {
      const config = readConfig(await withLocalDefaults(env));
      const connection = connect(config.database.url, 2, () => {});
      try {
        const result = await command({ ...connection, config, prompt: { input, say: err }, setFailed: fail });
        out(formatResult(result, Boolean(program.opts().json)));
      } finally {
        await connection.close();
      }
    } catch (error) {
      err(`${explain(error)}\n`);
      fail();
    }
  };
  for (const add of groups) add(program, run);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // With `exitOverride`, commander prints the message and throws this error instead of exiting.
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode;
  }
  return exitCode;
}

function addKeyCommands(program: Command, run: RunCommand): void {
  program
    .command('key')
    .description('manage the encryption key (SECRET_KEY)')
    .command('accept')
    .description('accept the current SECRET_KEY; secrets encrypted with another key are lost')
    .action(() =>
      run(async ({ db, config }) => {
        await storeKeyCanary(db, createSecretBox(config.secretKey), { isReplaced: true });
        return { isAccepted: true };
      }),
    );
}

function addQueueCommands(program: Command, run: RunCommand): void {
  program
    .command('queue')
    .description('queued work')
    .command('status')
    .description('count jobs by queue and state, and chunks that have no job yet')
    .action(() => run(({ db }) => countWork(db)));

  program
    .command('purge')
    .description('delete expired data now (see RETENTION_DAYS)')
    .action(() => run(({ db, config }) => purge(db, config.retention)));
}

const groups = [
  addAccountCommands,
  addTokenCommands,
  addCreditCommands,
  addKeyCommands,
  addLedgerCommands,
  addQueueCommands,
  addProviderCommands,
  addWebhookCommands,
  addMailCommands,
  addMonitorCommands,
];

function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  const { code, message } = error as { code?: string; message?: string };
  if (code === '42P01') return 'The database has no tables yet. Run npm run migrate first.';
  if (code === 'ECONNREFUSED')
    return 'Cannot connect to the database at DATABASE_URL. If you run Sonde with npm start, run npm start first.';
  return message || String(error);
}

if (import.meta.main) {
  process.exitCode = await runAdminCommand(process.argv.slice(2), {
    env: process.env,
    input: process.stdin,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
}
