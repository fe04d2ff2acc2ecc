import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { presetUserAgents } from '../../checks/http/user-agents.ts';
import { errorCodes } from '../../schemas/error-codes.ts';
import { operations } from '../../schemas/openapi.ts';
import { useDns } from '../support/dns.ts';
import { freePort } from '../support/free-port.ts';
import { guidePage } from '../support/guide.ts';
import { useService } from '../support/service.ts';

describe('the documentation', () => {
  const dns = useDns({ 'example.com': { a: ['127.0.0.1'] } });
  const service = useService(
    async () => {
      const port = String(await freePort());
      const address = { PORT: port, BASE_URL: `http://127.0.0.1:${port}` };
      return { ...address, DNS_SERVERS: dns.server, OPERATOR_CONTACT: 'ops@example.org' };
    },
    { worker: true },
  );
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sonde-docs-'));
  });

  after(() => rm(folder, { recursive: true }));

  const page = (path: string) => guidePage(service, path);

  async function readSample(path: string, file: string): Promise<string> {
    const sample = (await page(path)).querySelector(`code[data-sample="${file}"]`);
    return sample?.text ?? expect.fail(`${path} does not show ${file}`);
  }

  /** Returns the output of a program that runs a sample as a file or as pasted text. */
  async function run(command: string, args: string[], { input = '', env = {} } = {}): Promise<string> {
    const options = { cwd: folder, env: { PATH: process.env.PATH, ...env } };
    const child = spawn(command, args, options);
    child.stdin.end(input);
    const [out, problems, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    expect(code, problems).to.equal(0);
    return out;
  }

  async function runFile(command: string, file: string, env: object): Promise<string> {
    await writeFile(join(folder, file), await readSample('/docs', file));
    return run(command, [file], { env });
  }

  describe('has a quick start', () => {
    const printed: Record<string, Promise<string>> = {};

    // The samples run concurrently, because each waits between its requests.
    before(async () => {
      const { token } = await service.account(30);
      const lines = (await readSample('/docs', 'quick-start.sh')).replace(
        'your token, from the dashboard',
        token,
      );
      printed.shell = run('bash', [], { input: `${lines}\n` });
      printed.node = runFile(process.execPath, 'quick-start.mjs', { SONDE_TOKEN: token });
      if (await hasPython()) printed.python = runFile('python3', 'quick-start.py', { SONDE_TOKEN: token });
      await Promise.allSettled(Object.values(printed));
    });

    it('for the shell that works when pasted', async () => {
      const answers = (await printed.shell)?.replace('}{', '}\n{').split('\n') ?? [];
      const [check, batch] = answers.map((line) => JSON.parse(line));
      expect(check).to.include({ success: true, url: 'https://example.com/', simulated: true });
      expect(batch).to.include({ type: 'http', status: 'completed', total: 2 });
      expect(batch.results[0]).to.include({ url: 'https://example.com/', error: 'connect_refused' });
    });

    const says = /^https:\/\/example\.com\/ is (not )?in Google\nhttps:\/\/example\.com\/ connect_refused\n/;

    it('in JavaScript that works', async () => {
      expect(await printed.node).to.match(says);
    });

    it('in Python that works', async function () {
      if (!printed.python) this.skip();
      expect(await printed.python).to.match(says);
    });
  });

  it('has a quick start for the shell that ends with the message when the token is rejected', async () => {
    const lines = await readSample('/docs', 'quick-start.sh');
    const child = spawn('bash', [], { cwd: folder, timeout: 120_000 });
    child.stdin.end(`${lines}\n`);
    const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(code).to.equal(1);
    expect(out.match(/"error":"unauthorized"/g)).to.have.lengthOf(2);
  });

  it('has a quick start in Python that prints the message when the token is rejected', async function () {
    if (!(await hasPython())) this.skip();
    await writeFile(join(folder, 'refused.py'), await readSample('/docs', 'quick-start.py'));
    const child = spawn('python3', ['refused.py'], {
      cwd: folder,
      env: { ...process.env, SONDE_TOKEN: 'no' },
    });
    const [problems, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect([code, problems.split('\n').length]).to.deep.equal([1, 2]);
    expect(problems).to.match(/token/i);
  });

  it('has an example of competitors and evidence that works', async () => {
    const { token } = await service.account(1);
    const lines = await readSample('/docs/answers', 'competitors.sh');
    const { competitors, asked, results } = JSON.parse(
      await run('bash', [], { input: `${lines}\n`, env: { SONDE_TOKEN: token } }),
    );
    expect(competitors[0]).to.include({ url: 'rank-7.example' });
    expect(asked[0]).to.include({ query: 'running shoes' });
    expect(results).to.have.length.above(5);
  });

  it('verifies webhooks in JavaScript and in Python', async () => {
    const { webhookSecret } = await service.account(0);
    const [body, id, now] = ['{"event":"batch.completed"}', 'msg_1', new Date()];
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': `v1,c29tZXRoaW5nIGVsc2U= ${new Webhook(webhookSecret).sign(id, now, body)}`,
    };
    const cases = [
      headers,
      { ...headers, 'webhook-id': 'msg_2' },
      { ...headers, 'webhook-timestamp': '1700000000' },
    ];
    const input = JSON.stringify({ secret: webhookSecret, body, cases });
    await writeFile(join(folder, 'verify.mjs'), await readSample('/docs/webhooks', 'verify-webhook.mjs'));
    const script = `import { isGenuine } from './verify.mjs'; import { readFileSync } from 'node:fs';
      const { secret, body, cases } = JSON.parse(readFileSync(0));
      console.log(JSON.stringify(cases.map((headers) => isGenuine(secret, headers, body))))`;
    expect(await run(process.execPath, ['--input-type=module', '-e', script], { input })).to.equal(
      '[true,false,false]\n',
    );
    if (!(await hasPython())) return;
    await writeFile(
      join(folder, 'verify_webhook.py'),
      await readSample('/docs/webhooks', 'verify_webhook.py'),
    );
    const python = `import json, sys; from verify_webhook import is_genuine; given = json.load(sys.stdin)
print(json.dumps([is_genuine(given["secret"], headers, given["body"].encode()) for headers in given["cases"]]))`;
    expect(await run('python3', ['-c', python], { input })).to.equal('[true, false, false]\n');
  });

  it('lists every error code', async () => {
    const words = (await page('/docs/errors'))
      .querySelectorAll('th[scope=row] code')
      .map((cell) => cell.text);
    expect(words).to.deep.equal(Object.keys(errorCodes));
  });

  it('lists the cost of each unbilled operation', async () => {
    const { token } = await service.account(0);
    const { body } = await service.call('/credits/allowance', { token });
    const rows = (await page('/docs/answers')).querySelectorAll('tr[data-weight]').map((row) => {
      const [what, kind, weight] = row.querySelectorAll('td').map((cell) => cell.text);
      expect(what).to.match(/^A/);
      return [kind, Number(weight)];
    });
    expect(Object.fromEntries(rows)).to.deep.equal(body.weights);
  });

  it('tells webmasters about the bot and whom to contact', async () => {
    const shown = (await page('/bot')).querySelector('main');
    expect(shown?.text).to.include(service.config.checks.userAgent).and.include('At most 8 requests');
    for (const name of Object.values(presetUserAgents)) expect(shown?.text).to.include(name);
    expect(shown?.querySelector('a[href="mailto:ops@example.org"]')?.text).to.equal('ops@example.org');
  });

  it('shows every operation with its fields and answers', async () => {
    const shown = await page('/docs/reference');
    for (const { id, summary, answers } of operations) {
      const part = shown.getElementById(id) ?? expect.fail(`${id} is not shown`);
      expect(part.querySelector('summary')?.text).to.contain(summary);
      expect(part.querySelectorAll('dt').map(({ text }) => text)).to.include.members(Object.keys(answers));
    }
    const check = shown.getElementById('checkIndex');
    expect(check?.querySelectorAll('th').map(({ text }) => text)).to.include.members(['url', 'is_indexed']);
  });

  it('finds sections by words', async () => {
    const found = (await page('/docs/search?q=Idempotency-Key')).querySelectorAll('.found a');
    const targets = found.map((link) => link.getAttribute('href'));
    expect(targets[0]).to.equal('/docs/retries#idempotency');
    const none = await page('/docs/search?q=%3Cscript%3Ezebra');
    expect(none.querySelector('article')?.text).to.include('No section has all of these words');
    expect((await page('/docs/search')).querySelector('article')?.text).to.include('Try one word');
  });

  it('lists changes for callers, without those for operators', async () => {
    const shown = (await page('/docs/changes')).querySelector('article')?.text ?? '';
    expect(shown).to.include('0.1.0: Checks').and.not.include('SECRET_KEY');
  });
});

async function hasPython(): Promise<boolean> {
  const child = spawn('python3', ['--version'], { stdio: 'ignore' });
  return once(child, 'exit').then(
    ([code]) => code === 0,
    () => false,
  );
}
