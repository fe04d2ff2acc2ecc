import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Config, type Environment, readConfig } from './config.ts';
import * as accounts from './db/accounts.ts';
import { connect, type Db, inTransaction } from './db/connect.ts';
import { type EmbeddedPostgres, startEmbedded } from './db/embedded.ts';
import * as ledger from './db/ledger.ts';
import { migrate } from './db/migrate.ts';
import { createSecretBox } from './db/secret-box.ts';
import * as sessions from './db/sessions.ts';
import * as tokens from './db/tokens.ts';
import * as users from './db/users.ts';
import { createLog, type Log } from './log.ts';
import { exitOnConfigError, type Running, stopOnSignals } from './process.ts';
import { startWeb } from './server/main.ts';
import { startWorker } from './worker/main.ts';

const folder = fileURLToPath(new URL('./.data', import.meta.url));
const firstCredits = 10_000;

/** Everything on one machine: embedded Postgres unless there is another, migrations, web, worker, a first account. */
async function start(): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const postgres = process.env.DATABASE_URL ? null : await startEmbedded(folder);
  try {
    const config = readConfig(await environment(process.env, postgres));
    const log = createLog(config.log);
    await migrate(config.database, log);
    const first = await firstAccount(config, log);
    const web = await startWeb(config, log);
    const worker = await startWorker(config, log);
    stopOnSignals(together(web, worker, postgres), log);
    process.stdout.write(welcome(config, first));
  } catch (error) {
    await postgres?.stop();
    throw error;
  }
}

/** What is unset gets a value that suits one machine; everything else stands as the operator wrote it. */
async function environment(env: Environment, postgres: EmbeddedPostgres | null): Promise<Environment> {
  return {
    LOG_LEVEL: 'warn',
    SIGNUP: 'open',
    SIGNUP_CREDITS: '100',
    ...(hasProvider(env) ? {} : { SERP_PROVIDERS: 'sandbox' }),
    ...env,
    DATABASE_URL: env.DATABASE_URL || postgres?.url,
    SECRET_KEY: env.SECRET_KEY || (await kept('secret-key', () => randomBytes(32).toString('hex'))),
  };
}

/** Whether the operator set up any provider of search results; if not, answers are invented. */
function hasProvider(env: Environment): boolean {
  const keys = Object.keys(env).filter((name) => env[name]);
  return keys.some((name) =>
    /^(SERP_PROVIDERS|BRIGHTDATA_|SERPAPI_|SERPER_|DATAFORSEO_|SEARXNG_|OPENSERP_)/.test(name),
  );
}

interface FirstAccount {
  token: string;
  /** Signs its holder in to the dashboard, once. */
  signInKey: string;
}

/** The account of earlier starts while its token is valid, else a new one. */
async function firstAccount(config: Config, log: Log): Promise<FirstAccount> {
  const { db, close } = connect(config.database.url, 2, (error) =>
    log.warn('The database interrupted us', { error }),
  );
  try {
    const known = tokens.parseToken((await readKept('token')) ?? '');
    const caller = known && (await tokens.findCaller(db, known));
    if (caller) return { token: known, signInKey: await signInKey(db, caller.accountId) };
    const { accountId } = await accounts.create(db, createSecretBox(config.secretKey));
    await inTransaction(db, (trx) => ledger.grant(trx, accountId, firstCredits, 'first account'));
    const token = await tokens.issue(db, accountId, 'first token');
    await writeKept('token', token);
    return { token, signInKey: await signInKey(db, accountId) };
  } finally {
    await close();
  }
}

/** The first account's user has no password until he chooses one. */
async function signInKey(db: Db, accountId: number): Promise<string> {
  const email = `account-${accountId}@sonde.invalid`;
  const userId =
    (await users.firstOf(db, accountId)) ?? (await users.create(db, { accountId, email, password: null }));
  return sessions.makeLink(db, userId);
}

function together(web: Running, worker: Running, postgres: EmbeddedPostgres | null): Running {
  return {
    stop: async () => {
      await Promise.all([web.stop(), worker.stop()]);
      await postgres?.stop();
    },
  };
}

function welcome({ web: { baseUrl }, providers }: Config, { token, signInKey }: FirstAccount): string {
  const curl = (path: string, url: string) => `  curl -s ${baseUrl}/api/v1/${path} \\
    -H 'Authorization: Bearer ${token}' \\
    -H 'Content-Type: application/json' \\
    -d '{"url": "${url}"}'`;
  const isSandbox = providers.names?.includes('sandbox');
  return `
Sonde is ready. Your dashboard, by a link that works once:
  ${baseUrl}/start?key=${signInKey}

Your token: ${token} (kept in .data/token)

${isSandbox ? 'An index check that works without the internet (sandbox: invented answers):' : 'An index check:'}
${curl('check', 'https://indexed.example/')}

A real HTTP check:
${curl('http-status', 'https://example.com/')}

${
  isSandbox
    ? 'For real answers from Google set a provider key, such as BRIGHTDATA_API_TOKEN and BRIGHTDATA_ZONE (README.md).'
    : `Search providers: ${providers.names?.join(', ') ?? 'those whose keys are set'}.`
}
Ctrl-C stops everything; your data stays in .data.
`;
}

async function kept(name: string, make: () => string): Promise<string> {
  const known = await readKept(name);
  if (known) return known;
  const made = make();
  await writeKept(name, made);
  return made;
}

async function readKept(name: string): Promise<string | null> {
  const text = await readFile(`${folder}/${name}`, 'utf8').catch(() => '');
  return text.trim() || null;
}

async function writeKept(name: string, value: string): Promise<void> {
  await writeFile(`${folder}/${name}`, `${value}\n`, { mode: 0o600 });
}

await exitOnConfigError(start);
