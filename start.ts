import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openAccount } from './accounts/open.ts';
import { listExampleVariables } from './checks/search/registry.ts';
import { type Config, readConfig } from './config/config.ts';
import * as accounts from './db/accounts/accounts.ts';
import * as sessions from './db/accounts/sessions.ts';
import * as tokens from './db/accounts/tokens.ts';
import * as users from './db/accounts/users.ts';
import { migrate } from './db/migrate.ts';
import { connect, type Db, inTransaction } from './db/postgres/connect.ts';
import { dataFolder, readStored, writeStored } from './local/data-folder.ts';
import { createStartEnvironment } from './local/defaults.ts';
import { type EmbeddedPostgres, startEmbedded } from './local/embedded.ts';
import { createLog, type Log } from './process/log.ts';
import { OperatorError } from './process/operator-error.ts';
import { exitOnOperatorError, stopOnSignals } from './process/process.ts';
import { createSecretBox } from './process/secret-box.ts';
import { startWeb } from './server/main.ts';
import { startWorker } from './worker/main.ts';

const envFile = fileURLToPath(new URL('./.env', import.meta.url));
const firstCredits = 10_000;

/** Runs migrations, web and worker on one machine. Without DATABASE_URL, also runs an embedded Postgres. */
async function start(): Promise<void> {
  if (existsSync(envFile)) process.loadEnvFile(envFile);
  const env = await createStartEnvironment(process.env);
  // Rejects invalid settings before anything is started.
  readConfig({ ...env, DATABASE_URL: env.DATABASE_URL || 'postgres://127.0.0.1/not-started-yet' });
  const postgres = env.DATABASE_URL ? null : await startOwnPostgres();
  try {
    const config = withTerminalMail(readConfig({ ...env, DATABASE_URL: env.DATABASE_URL || postgres?.url }));
    const log = createLog(config.log);
    await migrate(config.database, log);
    const first = await openFirstAccount(config, log);
    const web = await startWeb(config, log);
    const worker = await startWorker(config, log);
    const stop = async () => {
      await Promise.all([web.stop(), worker.stop()]);
      await postgres?.stop();
    };
    stopOnSignals({ stop }, log);
    process.stdout.write(welcomeText(config, first, postgres !== null));
  } catch (error) {
    await postgres?.stop();
    throw error;
  }
}

/** Without a mail server, sign-in and reset links are printed on the terminal. */
function withTerminalMail(config: Config): Config {
  const { mail } = config;
  return mail.mode === 'off' ? { ...config, mail: { ...mail, mode: 'terminal' } } : config;
}

/** Starts the embedded Postgres and takes a lock, so that a second start in this folder cannot stop the server. */
async function startOwnPostgres(): Promise<EmbeddedPostgres> {
  const postgres = await startEmbedded(dataFolder);
  const lock = new pg.Client(postgres.adminUrl);
  lock.on('error', () => {});
  await lock.connect();
  const { rows } = await lock.query('select pg_try_advisory_lock(1) as "isOurs"');
  if (!rows[0].isOurs) {
    await lock.end();
    throw new OperatorError(
      'Sonde is already running with the data in .data. Stop it first, or use another clone.',
    );
  }
  await writeStored('database-url', postgres.url);
  return {
    ...postgres,
    stop: async () => {
      await lock.end();
      await postgres.stop();
    },
  };
}

interface FirstAccount {
  token: string;
  /** Key of a link that signs in to the dashboard once. */
  signInKey: string;
}

/**
 * Returns the account of earlier starts, with a new token if the stored token was revoked. Creates an account at the
 * first start.
 */
async function openFirstAccount(config: Config, log: Log): Promise<FirstAccount> {
  const { db, close } = connect(config.database.url, 2, (error) =>
    log.warn('Database connection lost', { error }),
  );
  try {
    const stored = tokens.parseToken((await readStored('token')) ?? '');
    const caller = stored && (await tokens.findCaller(db, stored));
    if (caller) {
      await writeStored('account', String(caller.accountId));
      return { token: stored, signInKey: await createSignInKey(db, caller.accountId) };
    }
    const accountId = (await findStoredAccount(db)) ?? (await createAccount(db, config));
    const token = await tokens.issue(db, accountId, 'made by npm start');
    await writeStored('account', String(accountId));
    await writeStored('token', token);
    return { token, signInKey: await createSignInKey(db, accountId) };
  } finally {
    await close();
  }
}

/** Returns null at the first start, or if the account is disabled. */
async function findStoredAccount(db: Db): Promise<number | null> {
  const accountId = Number(await readStored('account'));
  return (await accounts.isOpen(db, accountId)) ? accountId : null;
}

async function createAccount(db: Db, config: Config): Promise<number> {
  const credits = { amount: firstCredits, note: 'first account' };
  const account = { user: null, credits, tokenName: null };
  const secretBox = createSecretBox(config.secretKey, config.previousSecretKey);
  const { accountId } = await inTransaction(db, (trx) => openAccount(trx, secretBox, account));
  return accountId;
}

/**
 * Creates the key of a sign-in link for the first account. If the account has no owner, also creates a user without a
 * password.
 */
async function createSignInKey(db: Db, accountId: number): Promise<string> {
  const email = `account-${accountId}@sonde.invalid`;
  const userId =
    (await users.findFirstOwner(db, accountId)) ??
    (await users.create(db, { accountId, email, passwordHash: null }));
  return sessions.createLink(db, userId);
}

function welcomeText(
  { web: { baseUrl }, providers }: Config,
  { token, signInKey }: FirstAccount,
  isEmbedded: boolean,
): string {
  const curl = (path: string, url: string) => `  curl -s ${baseUrl}/api/v1/${path} \\
    -H 'Authorization: Bearer ${token}' \\
    -H 'Content-Type: application/json' \\
    -d '{"url": "${url}"}'`;
  const isSandbox = providers.names?.includes('sandbox');
  return `
Sonde is ready. Open your dashboard with this link, which works once:
  ${baseUrl}/start?key=${signInKey}

Your token: ${token} (stored in .data/token)

${isSandbox ? 'Try an index check (the sandbox simulates answers, without the internet):' : 'Try an index check:'}
${curl('check', 'https://indexed.example/')}

Try a real HTTP check:
${curl('http-status', 'https://example.com/')}

${
  isSandbox
    ? `For real answers from Google, set a provider key, such as ${listExampleVariables()} (docs/settings.md).`
    : `Search providers: ${providers.names?.join(', ') ?? 'all whose keys are set'}.`
}
Ctrl-C stops everything${isEmbedded ? '; your data stays in .data' : ''}.
`;
}

await exitOnOperatorError(start);
