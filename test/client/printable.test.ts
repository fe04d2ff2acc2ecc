import { expect } from 'chai';
import { runCommand } from '../support/command.ts';
import { useSite } from '../support/web.ts';

const hostile = '\x1b]0;title\x07\x1b[2J\r\u009b31m\u202eevil\u2066\u200e\u200f\u061c\u2028\nsonde: all good';
const controls = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const id = '0e0bd036-ac62-4143-9dfa-84aa98ff32d4';

// XML has no C0 control characters, even as references; a lenient parser accepts them nevertheless.
const sitemap = `<urlset><url><loc>https://a.example/<![CDATA[${hostile}]]>&#27;&#155;</loc></url></urlset>`;
const at = '2026-11-27T00:00:00+00:00';
const url = `https://a.example/${hostile}`;

/** Returns the answer of the API to a path, with an untrusted text in every possible field. */
function answerTo(path: string, type: string): object {
  const result = {
    ...{
      state: 'success',
      url,
      status: 404,
      is_soft404: false,
      error: hostile,
      bot_wall: hostile,
      final_url: url,
    },
    ...{
      redirects: [{ url, status: 301 }],
      redirect_count: 1,
      title: hostile,
      canonical: url,
      content_type: hostile,
    },
    ...{
      is_indexed: false,
      similar_url: url,
      matched_url: url,
      keyword: hostile,
      target_url: url,
      found: true,
    },
    ...{ rank: 3, ranked_url: url, competitors: [{ url, rank: 4 }], tag: hostile, message: hostile },
  };
  const batch = {
    ...{
      batch_id: id,
      type,
      progress: '100%',
      processed: 1,
      total: 1,
      failed: 0,
      successful: 1,
      name: hostile,
    },
    ...{ status: 'completed', created_at: at, completed_at: at, reference: hostile },
  };
  const monitor = {
    ...{ monitor_id: id, type, schedule: { every: 'day', at: hostile, timezone: hostile }, status: 'active' },
    ...{ subjects: 1, next_run_at: at, name: hostile, credits_per_run: 1, credits_per_month: 30 },
  };
  const run = {
    run_id: id,
    created_at: at,
    status: 'skipped',
    reason: hostile,
    checked: 1,
    failed: 0,
    changes: 1,
  };
  const subject = { keyword: hostile, target_url: url };
  const change = { at, kind: hostile, subject, before: { rank: hostile }, after: { rank: { x: hostile } } };
  if (path.includes('/batches')) return { data: [batch] };
  if (path.includes('/changes')) return { data: [change] };
  if (path.includes('/runs')) return { data: [run] };
  if (path.endsWith('/run')) return { run };
  if (path.includes('/monitors?')) return { data: [monitor] };
  if (path.includes('/monitors')) return { monitor };
  if (path.includes('/digest')) return { every: 'day', at: hostile, timezone: hostile };
  return { ...result, ...batch, credits: hostile, results: [result] };
}

describe('untrusted texts in the output of sonde', () => {
  let type = 'http';
  let refusal: { status: number; body: object } | null = null;

  const service = useSite((req, res) => {
    if (req.url === '/sitemap.xml') return void res.end(sitemap);
    if (refusal) return void res.writeHead(refusal.status).end(JSON.stringify(refusal.body));
    if (req.url?.includes('ndjson')) {
      const { results } = answerTo('/batch', type) as { results: object[] };
      return void res.end(`${JSON.stringify(results[0])}\n`);
    }
    res.end(JSON.stringify(answerTo(req.url ?? '', type)));
  });

  const run = (args: string[], input = '') =>
    runCommand(args, { baseUrl: service.url, token: 'token' }, input);
  const lines = (text: string) => text.split('\n');

  const list = 'https://a.example/\nhttps://b.example/\n';
  const commands: Array<[string[], string?]> = [
    [['list']],
    [['credits']],
    [['cancel', id]],
    [['retry', id]],
    [['again', id]],
    [['http', '-'], list],
    [['index', '-'], list],
    [['rank', '-', '--site', 'a.example'], 'word\nother\n'],
    [['rank', '-', '--site', 'a.example'], 'word\n'],
    [['batch', id]],
    [['watch', '-', '--every', 'day'], list],
    ...['list', 'show', 'run', 'runs', 'pause', 'resume', 'changes', 'digest'].map((verb): [string[]] => [
      ['monitor', verb, ...(verb === 'list' || verb === 'digest' ? [] : [id])],
    ]),
  ];

  for (const [args, input] of commands) {
    for (const format of ['table', 'json', 'ndjson', 'csv']) {
      it(`are printable in ${args.slice(0, 2).join(' ')} as ${format} (${input?.length ?? 0} characters of input)`, async () => {
        type = args[0] === 'rank' ? 'keyword' : args[0] === 'index' ? 'index' : 'http';
        const { out, problems } = await run([...args, '--format', format], input);
        expect(out + problems).to.not.match(/TypeError|at file:/);
        expect(out).to.not.equal('');
        for (const line of [...lines(out), ...lines(problems)]) expect(line).to.not.match(controls);
        expect(lines(out + problems)).to.not.include('sonde: all good');
      });
    }
  }

  it('keep to one line per address of a sitemap', async () => {
    const { out, code } = await run(['sitemap', `${service.url}/sitemap.xml`]);
    expect(code).to.equal(0);
    expect(lines(out)).to.have.lengthOf(2);
    expect(lines(out)[0])
      .to.match(/^https:\/\/a\.example\/\ufffd/)
      .and.not.match(controls);
  });

  it('are escaped and complete in JSON', async () => {
    type = 'http';
    const { out } = await run(['batch', id, '--format', 'ndjson']);
    expect(JSON.parse(out).title).to.equal(hostile);
  });

  it('are printable in errors of the service, of arguments and of lists', async () => {
    for (const [args, input, answer] of [
      [['credits'], '', { status: 400, body: { message: hostile, error: hostile } }],
      [['http', '-'], list, { status: 422, body: { message: 'x', errors: { 'urls.0': [hostile] } } }],
      [['http', '-'], list, { status: 422, body: { message: 'x', errors: { [hostile]: [hostile] } } }],
      [[hostile], '', null],
      [['http', `/nowhere/${hostile}`], '', null],
      [['http', '-', '--column', hostile], 'a,b\nhttps://a.example/,x\n', null],
      [['http', '-'], `Address,Address\u009b,x\nhttps://a.example/,https://a.example/,\x1b[2J\n`, null],
      [['sitemap', `${service.url}/none?${hostile}`], '', { status: 404, body: {} }],
      [['--format', hostile], '', null],
      [['batch', id, '--output', `/nowhere/${hostile}`], '', null],
    ] as const) {
      refusal = answer;
      const { out, problems, code } = await run([...args], input);
      refusal = null;
      expect(code, problems).to.be.within(1, 6);
      expect(problems).to.not.equal('');
      for (const line of [...lines(out), ...lines(problems)])
        expect(line, args.join(' ')).to.not.match(controls);
      expect(lines(out + problems), args.join(' ')).to.not.include('sonde: all good');
    }
  });
});

describe('the progress of a batch on a terminal', () => {
  let looks = 0;
  let waiting: object | undefined;

  const service = useSite((req, res) => {
    if (req.url?.includes('ndjson')) return void res.end('');
    looks += 1;
    // The command reads the batch once before it shows any progress.
    const isOver = looks > 2;
    const state = isOver
      ? { completed_at: at, processed: 400 }
      : { completed_at: null, processed: 100, waiting };
    res.end(JSON.stringify({ batch_id: id, type: 'index', total: 400, failed: 0, ...state }));
  });

  const linesShown = async () => {
    looks = 0;
    const terminal = { isTTY: true, columns: 80 };
    const customer = { baseUrl: service.url, token: 'token' };
    const { problems } = await runCommand(['batch', id, '--watch'], customer, '', terminal);
    return problems.split('\r\x1b[K');
  };

  it('shows on one line why and until when the batch waits', async () => {
    waiting = { reason: 'google_unreadable', until: at };
    const lines = await linesShown();
    expect(lines[1]).to.match(/25% {2}100 of 400, waiting until \d\d:\d\d \(google_unreadable\)$/);
    expect(lines[1]).to.have.lengthOf.below(80);
    expect(lines[2]).to.match(/100% {2}400 of 400$/);
  });

  it('removes control characters of the answer, and keeps to a line', async () => {
    const long = `${hostile} ${'long '.repeat(40)}`;
    waiting = { reason: long, until: long };
    const [, line] = await linesShown();
    expect(line).to.contain('evil').and.not.match(controls);
    expect(line).to.have.lengthOf.below(80);
  });
});
