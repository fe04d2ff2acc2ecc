import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { sql } from 'kysely';
import { providerSources } from '../checks/search/registry.ts';
import { type Environment, readConfig } from '../config/config.ts';
import { afterTest } from './support/after-test.ts';
import { TestService } from './support/service.ts';
import { serveSite } from './support/web.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** Returns every setting in .env.example with its value, including the commented ones. */
function example(): Environment {
  const lines = read('.env.example').matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
}

/** Returns the names that readConfig reads; `env` needs all keys of providers, or some are not read. */
function namesAskedFor(env: Environment): string[] {
  const names = new Set<string>();
  const asked = (_: Environment, name: string | symbol) => {
    names.add(String(name));
    return env[String(name)];
  };
  readConfig(new Proxy(env, { get: asked }));
  // Set by the platform, not by the operator.
  for (const name of ['DYNO', 'NODE_ENV']) names.delete(name);
  return [...names].sort();
}

describe('.env.example', () => {
  it('contains the existing settings, and no others', () => {
    expect(Object.keys(example()).sort()).to.deep.equal(namesAskedFor(example()));
  });

  it('contains the same settings as docs/settings.md', () => {
    const documented = [...read('docs/settings.md').matchAll(/^\| (`[^|]+)/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name),
    );
    expect(documented.sort()).to.deep.equal(namesAskedFor(example()));
  });

  it('sets nothing, so that npm start accepts an unchanged copy', () => {
    expect(read('.env.example').match(/^[^#\n].*$/gm)).to.equal(null);
  });

  it('shows every variable of the providers with its own example', () => {
    const variables = providerSources.flatMap((source) => source.variables);
    expect(example()).to.include(
      Object.fromEntries(variables.map(({ name, example: value }) => [name, value])),
    );
  });

  it('shows defaults, and otherwise valid values', () => {
    const env = example();
    const shown = readConfig(env);
    const given = readConfig({ DATABASE_URL: env.DATABASE_URL });
    expect(shown.database).to.deep.equal(given.database);
    expect(shown.checks).to.include({
      timeoutMs: given.checks.timeoutMs,
      concurrency: given.checks.concurrency,
      hostConcurrency: given.checks.hostConcurrency,
    });
    for (const setting of ['timeoutMs', 'concurrency', 'dailyLimit', 'reuseSeconds'] as const)
      expect(shown.providers[setting], setting).to.equal(given.providers[setting]);
    for (const setting of ['port', 'trustProxy', 'rateLimitPerMinute'] as const)
      expect(shown.web[setting], setting).to.equal(given.web[setting]);
    expect(shown.retention).to.deep.equal(given.retention);
    expect(shown.log.level).to.equal(given.log.level);
  });
});

describe('docs/deployment', () => {
  const pages = ['README', 'heroku', 'one-machine', 'several-machines', 'operations'];
  const sources = [
    'server/http/metrics.ts',
    'server/http/errors.ts',
    'server/limits/limits.ts',
    'server/main.ts',
    'process/process.ts',
  ];
  sources.push('upkeep/secret-rotation.ts', 'upkeep/chores.ts', 'worker/recorder.ts');

  it('names existing metrics and log lines', () => {
    const operations = read('docs/deployment/operations.md');
    const known = sources.map(read).join();
    const metrics = [...operations.matchAll(/`(sonde_[a-z_]+)/g)].map(([, name]) => name);
    const lines = [...operations.matchAll(/^\| (`.+) \((?:warn|error)\)/gm)]
      .flatMap(([, named]) => (named ?? '').split('`'))
      .filter((line) => /^[A-Z]/.test(line));
    expect(metrics.length).to.be.greaterThan(4);
    expect(lines.length).to.be.greaterThan(6);
    for (const fact of [...metrics, ...lines]) expect(known, fact).to.include(`'${fact}'`);
  });

  it('has no broken links', () => {
    for (const page of pages) {
      const text = read(`docs/deployment/${page}.md`);
      for (const [, target = ''] of text.matchAll(/\]\(([^)#]+)/g)) read(`docs/deployment/${target}`);
    }
  });
});

describe('app.json', () => {
  const app = JSON.parse(read('app.json'));

  it('sets existing settings to valid values', () => {
    const names = Object.keys(app.env);
    expect(namesAskedFor(example())).to.include.members(names);
    const values = Object.entries<{ value?: string }>(app.env).map(([name, { value }]) => [name, value]);
    const config = readConfig({ ...Object.fromEntries(values), DATABASE_URL: example().DATABASE_URL });
    expect(config.database.poolMax).to.equal(5);
    for (const [name, { description }] of Object.entries<{ description: string }>(app.env))
      expect(description, name).to.match(/\.$/);
  });

  it('starts the processes of the Procfile', () => {
    const processes = [...read('Procfile').matchAll(/^(\w+):/gm)].map(([, name]) => name);
    expect(processes).to.deep.equal(['release', ...Object.keys(app.formation)]);
  });
});

describe('the image', () => {
  it('starts web like npm run web', () => {
    const [, command = ''] = /^CMD (.*)$/m.exec(read('Dockerfile')) ?? [];
    expect(['exec', ...JSON.parse(command)].join(' ')).to.equal(JSON.parse(read('package.json')).scripts.web);
  });
});

describe('the smallest pool', () => {
  it('is enough for web and worker, and neither opens more', async () => {
    const site = await serveSite();
    afterTest(() => site.close());
    const service = await TestService.start({ DATABASE_POOL_MAX: '5' }, { worker: true });
    afterTest(() => service.stop());
    const open: number[] = [];
    const watch = setInterval(async () => open.push(await countConnections(service)), 50);
    afterTest(() => clearInterval(watch));
    const callers = await Promise.all(Array.from({ length: 3 }, () => service.account(100)));
    const urls = Array.from({ length: 50 }, (_, index) => `${site.url}/good?${index}`);
    const queries = Array.from({ length: 20 }, (_, index) => ({
      url: 'rank-7.example',
      keyword: `k ${index}`,
    }));
    await Promise.all(
      callers.map(async ({ token }) => {
        const post = (path: string, body: object) => service.call(path, { token, body });
        const accepted = await Promise.all([
          post('/http-status/bulk', { urls }),
          post('/keyword-track', { queries }),
          post('/http-status', { url: urls[0] }),
        ]);
        for (const { body } of accepted.slice(0, 2))
          expect(await service.ended(token, body.batch_id)).to.include({ status: 'completed' });
      }),
    );
    await service.quiet();
    expect(await service.problems()).to.deep.equal([]);
    expect(open.length).to.be.greaterThan(0);
    expect(Math.max(...open)).to.be.most(10);
  });
});

/** Counts the connections of web and worker, without those of the test, which uses the same database. */
async function countConnections({ db, connection }: TestService): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    select count(*)::int as held from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend'`.execute(db);
  return (rows[0]?.held ?? 0) - connection.pool.totalCount;
}
