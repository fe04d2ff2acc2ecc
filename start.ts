import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Config, type Environment, readConfig } from './config.ts';
import * as accounts from './db/accounts.ts';
import { connect, inTransaction } from './db/connect.ts';
import { type EmbeddedPostgres, startEmbedded } from './db/embedded.ts';
import * as ledger from './db/ledger.ts';
import { migrate } from './db/migrate.ts';
import { createSecretBox } from './db/secret-box.ts';
import * as tokens from './db/tokens.ts';
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
    const token = await firstToken(config, log);
    const web = await startWeb(config, log);
    const worker = await startWorker(config, log);
    stopOnSignals(together(web, worker, postgres), log);
    process.stdout.write(welcome(config, token));
  } catch (error) {
    await postgres?.stop();
    throw error;
  }
}

/** What is unset gets a value that suits one machine; everything else stands as the operator wrote it. */
async function environment(env: Environment, postgres: EmbeddedPostgres | null): Promise<Environment> {
  return {
    LOG_LEVEL: 'warn',
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

/** The token of the first account: the one of earlier starts while it is valid, else that of a new account. */
async function firstToken(config: Config, log: Log): Promise<string> {
  const { db, close } = connect(config.database.url, 2, (error) =>
    log.warn('The database interrupted us', { error }),
  );
  try {
    const known = tokens.parseToken((await readKept('token')) ?? '');
    if (known && (await tokens.findCaller(db, known))) return known;
    const { accountId } = await accounts.create(db, createSecretBox(config.secretKey));
    await inTransaction(db, (trx) => ledger.grant(trx, accountId, firstCredits, 'first account'));
    const token = await tokens.issue(db, accountId, 'first token');
    await writeKept('token', token);
    return token;
  } finally {
    await close();
  }
}

function together(web: Running, worker: Running, postgres: EmbeddedPostgres | null): Running {
  return {
    stop: async () => {
      await Promise.all([web.stop(), worker.stop()]);
      await postgres?.stop();
    },
  };
}

function welcome({ web: { baseUrl }, providers }: Config, token: string): string {
  const curl = (path: string, url: string) => `  curl -s ${baseUrl}/api/v1/${path} \\
    -H 'Authorization: Bearer ${token}' \\
    -H 'Content-Type: application/json' \\
    -d '{"url": "${url}"}'`;
  const isSandbox = providers.names?.includes('sandbox');
  return `
Sonde is ready at ${baseUrl}. Your token: ${token} (kept in .data/token)

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
