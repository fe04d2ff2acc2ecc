import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { readSamples } from '../../../server/docs/pages.ts';
import { useDns } from '../../support/dns.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { useService } from '../../support/service.ts';
import { serve } from '../../support/web.ts';

/** Commands that run a sample, by its file extension. */
const commands: Record<string, string> = {
  sh: 'bash',
  mjs: process.execPath,
  py: 'python3',
  php: 'php',
};

/** Returns true when a command is installed. */
async function runs(command: string): Promise<boolean> {
  const child = spawn(command, ['--version'], { stdio: 'ignore' });
  return once(child, 'exit').then(
    ([code]) => code === 0,
    () => false,
  );
}

/** Writes samples of the guide to a new folder within another. */
async function laidOut(folder: string, baseUrl: string, ...files: string[]): Promise<string> {
  const own = await mkdtemp(join(folder, 'one-'));
  for (const { file, code } of readSamples(baseUrl, files)) await writeFile(join(own, file), `${code}\n`);
  return own;
}

/** Starts a sample in its folder. A sample for the shell is pasted into it. */
async function start(cwd: string, file: string, env: object): Promise<ChildProcess> {
  const command = commands[file.split('.')[1] ?? ''] ?? '';
  const isPasted = command === 'bash';
  const args = command === 'php' ? ['-S', `127.0.0.1:${(env as { PORT: string }).PORT}`, file] : [file];
  const child = spawn(command, isPasted ? [] : args, { cwd, env: { PATH: process.env.PATH, ...env } });
  child.stdin.end(isPasted ? await readFile(join(cwd, file)) : '');
  return child;
}

/** Runs a sample. Returns its output and exit code. */
async function printed(cwd: string, file: string, env: object) {
  const child = await start(cwd, file, env);
  const [out, problems, [code]] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
    once(child, 'exit'),
  ]);
  return { out, problems, code };
}

const endings = ['sh', 'mjs', 'py'];
const client = fileURLToPath(new URL('../../../client', import.meta.url));

describe('samples of the guide', () => {
  const dns = useDns({ 'example.com': { a: ['127.0.0.1'] } });
  const service = useService(
    async () => {
      // The answers contain URLs to poll, with this port.
      const PORT = String(await freePort());
      return { PORT, BASE_URL: `http://127.0.0.1:${PORT}`, DNS_SERVERS: dns.server };
    },
    { worker: true },
  );
  const serviceWithoutWorker = useService();
  let folder: string;
  /** Curl waits for seven seconds in total, so these samples are started first and read last. */
  const retrying = new Map<string, Promise<void>>();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sonde-samples-'));
    for (const ending of endings)
      if (await runs(commands[ending] ?? '')) retrying.set(ending, retries(ending));
    for (const asked of retrying.values()) asked.catch(() => {});
  });

  after(async () => {
    await Promise.allSettled(retrying.values());
    await rm(folder, { recursive: true });
  });

  async function retries(ending: string): Promise<void> {
    const troubled = await serveStatuses([429, 500, 503, 200]);
    const own = await laidOut(folder, troubled.url, `sonde.${ending}`);
    await writeFile(join(own, `use.${ending}`), uses[ending] ?? '');
    const { out, problems, code } = await printed(own, `use.${ending}`, { SONDE_TOKEN: 'x' });
    expect([ending, code, out.trim()], problems).to.deep.equal([ending, 0, '{"success":true}']);
    expect([troubled.keys.length, new Set(troubled.keys).size], ending).to.deep.equal([4, 1]);

    troubled.answers[0] = 422;
    const refused = await printed(own, `use.${ending}`, { SONDE_TOKEN: 'x' });
    expect([refused.code === 0, troubled.keys.length], ending).to.deep.equal([false, 5]);
    expect(refused.out + refused.problems).to.include('no success');
    await troubled.close();
  }

  /** Runs a sample together with the retry helper. */
  async function attempt(name: string, ending: string, token: string, of = service) {
    const file = `${name}.${ending}`;
    const own = await laidOut(folder, of.baseUrl, `sonde.${ending}`, file);
    // The first shell sample contains its token.
    const code = await readFile(join(own, file), 'utf8');
    await writeFile(join(own, file), code.replace('your token, from the dashboard', token));
    return printed(own, file, { SONDE_TOKEN: token });
  }

  /** Runs a sample that succeeds, and returns its output. */
  async function run(...args: Parameters<typeof attempt>): Promise<string> {
    const { out, problems, code } = await attempt(...args);
    expect(code, problems).to.equal(0);
    return out;
  }

  for (const ending of endings) {
    describe(`in ${commands[ending]?.split('/').at(-1)}`, () => {
      before(async function () {
        if (!(await runs(commands[ending] ?? ''))) this.skip();
      });

      it('check a URL, and two URLs in a batch, in the quick start', async () => {
        const { token } = await service.account(3);
        const out = await run('quick-start', ending, token);
        if (ending === 'sh') {
          const [check, batch] = out
            .replace('}{', '}\n{')
            .split('\n')
            .map((line) => JSON.parse(line));
          expect(check).to.include({ success: true, url: 'https://example.com/', simulated: true });
          expect(batch).to.include({ type: 'http', status: 'completed', total: 2 });
          expect(batch.results[0]).to.include({ url: 'https://example.com/', error: 'connect_refused' });
        } else
          expect(out).to.match(
            /^https:\/\/example\.com\/ is (not )?in Google\nhttps:\/\/example\.com\/ connect_refused\n/,
          );
      });

      it('check two keywords in two countries, with a competitor', async () => {
        const { token, accountId } = await service.account(4);
        const lines = (await run('ranks', ending, token)).trim().split('\n');
        const rows = lines.filter((line) => /shoes/.test(line));
        expect(rows).to.have.lengthOf(4);
        for (const row of rows)
          expect(row)
            .to.match(/\b(?:US|DE)\b/)
            .and.match(/rank-7\.example 7|,7,/);
        expect(await service.credits(accountId)).to.equal(0);
      });

      it('create a monitor, and read its changes', async () => {
        const { token } = await service.account(4);
        const out = await run('monitors', ending, token);
        const { body } = await service.call('/monitors', { token });
        expect(body.data).to.have.lengthOf(1);
        expect(out).to.contain(body.data[0].monitor_id).and.contain(body.data[0].next_run_at);
      });

      it('read a batch while it runs', async () => {
        const { token } = await service.account(2);
        const out = await run('partial', ending, token);
        expect(out.match(/example\.com\/(?:missing)?/g)).to.have.length.above(1);
      });

      it('stop with the reason when they are rejected', async () => {
        const { token } = await service.account(0);
        for (const name of ['quick-start', 'ranks']) {
          const { out, problems, code } = await attempt(name, ending, token);
          expect(code, name).not.to.equal(0);
          expect(out + problems, name)
            .to.match(/credit/)
            .and.not.match(/Traceback/);
        }
      });

      it('create a test token, and check three URLs without charge', async () => {
        const { token, accountId } = await service.account(1);
        const out = await run('test-token', ending, token);
        expect(out)
          .to.match(/Tests\W.*\bcheck\b/)
          .and.match(/status-404\.example\b.*\b404\b/)
          .and.match(/soft404\.example\b.*\b200\b.*true/i)
          .and.match(/silent\.example\b.*connect_timeout/);
        expect(await service.credits(accountId)).to.equal(1);
      });

      it('cancel a batch, and retry the refunded items', async () => {
        const { token } = await serviceWithoutWorker.account(4);
        expect(await run('cancel', ending, token, serviceWithoutWorker)).to.match(
          /[0-9a-f]{8}-[0-9a-f]{4}-4/,
        );
        const { body } = await serviceWithoutWorker.call('/batches', { token });
        expect(body.data.map(({ status }: { status: string }) => status)).to.deep.equal([
          'pending',
          'failed',
        ]);
      });

      it('read a list page by page', async () => {
        const { token } = await service.account(5);
        for (let count = 0; count < 5; count++) {
          await service.call('/check/bulk', { token, body: { urls: ['https://indexed.example/'] } });
        }
        const { body } = await service.call('/batches', { token });
        const ids = body.data.map((batch: { batch_id: string }) => batch.batch_id);
        expect((await run('pages', ending, token)).match(/[0-9a-f-]{36}/g)).to.deep.equal(ids);
      });
    });
  }

  for (const [file, ...needs] of [
    ['receiver.mjs', 'verify-webhook.mjs'],
    ['receiver.py', 'verify_webhook.py'],
    ['receiver.php'],
  ]) {
    it(`receive webhooks in ${file}: each once, and only genuine ones`, async function () {
      if (!(await runs(commands[file?.split('.')[1] ?? ''] ?? ''))) this.skip();
      const { webhookSecret } = await service.account(0);
      const own = await laidOut(folder, service.baseUrl, file ?? '', ...needs);
      const port = String(await freePort());
      const env = { PORT: port, SONDE_WEBHOOK_SECRET: webhookSecret, TMPDIR: own };
      const child = await start(own, file ?? '', env);
      const ended = once(child, 'exit');
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (said += part));
      const payload = { batch_id: 'b-1', status: 'completed', results: [{}, {}], results_url: 'x' };
      const post = (id: string, body: string, { signed = body, signedId = id, ageSeconds = 0 } = {}) => {
        const at = new Date(Date.now() - ageSeconds * 1000);
        const signature = new Webhook(webhookSecret).sign(signedId, at, signed);
        const headers = {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': `v1,c29tZXRoaW5nIGVsc2U= ${signature}`,
        };
        const sent = fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers });
        return sent.then(({ status }) => status).catch(() => null);
      };
      try {
        const body = JSON.stringify(payload);
        expect(await eventually(() => post('m-1', body, { signed: '{}' }))).to.equal(401);
        expect(await post('m-1', body, { signedId: 'm-2' })).to.equal(401);
        expect(await post('m-1', body, { ageSeconds: 400 })).to.equal(401);
        expect(await post('m-2', body)).to.equal(204);
        expect(await post('m-2', body)).to.equal(204);
        expect(await post('m-3', JSON.stringify({ ...payload, results: null }))).to.equal(204);
        await eventually(async () => (said.includes('read them at x') ? true : null));
        expect(said.match(/b-1 completed/g)).to.have.lengthOf(2);
        expect(said).to.include('b-1 completed 2 results');
      } finally {
        child.kill();
        await ended;
      }
    });
  }

  it('have lines of at most 120 characters, and the first ones fit their box on a desktop', async () => {
    const files = await readdir(new URL('../../../server/docs/samples', import.meta.url));
    const firstSteps = ['quick-start.sh', 'competitors.sh', 'ai-overview.sh'];
    const long = readSamples(service.baseUrl, files).flatMap(({ file, code }) =>
      code
        .split('\n')
        .flatMap((line) =>
          line.length > (firstSteps.includes(file) ? 88 : 120) ? [`${file}: ${line}`] : [],
        ),
    );
    expect(long).to.deep.equal([]);
  });

  it('return competitors and evidence', async () => {
    const { token } = await service.account(1);
    const { competitors, asked, results } = JSON.parse(await run('competitors', 'sh', token));
    expect(competitors[0]).to.include({ url: 'rank-7.example' });
    expect(asked[0]).to.include({ query: 'running shoes' });
    expect(results).to.have.length.above(5);
  });

  it('use the client and the command', async () => {
    const { token } = await service.account(10);
    const own = await laidOut(folder, service.baseUrl, 'client.mjs', 'command.sh');
    await mkdir(join(own, 'node_modules/@sonde'), { recursive: true });
    await symlink(client, join(own, 'node_modules/@sonde/client'));
    const found = await printed(own, 'client.mjs', { SONDE_TOKEN: token });
    expect(found.out.trim().split('\n'), found.problems).to.have.lengthOf(2);
    await mkdir(join(own, 'bin'));
    await symlink(join(client, 'bin/sonde.js'), join(own, 'bin/sonde'));
    const PATH = [join(own, 'bin'), join(process.execPath, '..'), process.env.PATH].join(':');
    const { out, problems } = await printed(own, 'command.sh', { SONDE_TOKEN: token, PATH });
    expect([out, problems]).to.deep.equal(['6\n', '2 URLs, 2 credits\n1 good, 1 bad, 0 failed (refunded)\n']);
  });

  for (const ending of endings) {
    describe(`in ${commands[ending]?.split('/').at(-1)}, at the end`, () => {
      it('retry after 429, 500 and 503 with one key, but not after 422', function () {
        return retrying.get(ending) ?? this.skip();
      });
    });
  }
});

const uses: Record<string, string> = {
  sh: '. ./sonde.sh\nsonde check \'{"url": "https://a.example/"}\'\n',
  mjs: "import { sonde } from './sonde.mjs';\nconsole.log(JSON.stringify(await sonde('check', { url: 'x' })));\n",
  py: 'import json\nfrom sonde import sonde\nprint(json.dumps(sonde("check", {"url": "x"}), separators=(",", ":")))\n',
};

/** Serves these answers in order, and then the last one forever. */
async function serveStatuses(answers: number[]) {
  const keys: unknown[] = [];
  const site = await serve((req, res) => {
    keys.push(req.headers['idempotency-key']);
    const status = answers.length > 1 ? Number(answers.shift()) : Number(answers[0]);
    const body = status === 200 ? { success: true } : { success: false, message: 'no success' };
    res.writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': '0' });
    res.end(JSON.stringify(body));
  });
  return { ...site, keys, answers };
}
