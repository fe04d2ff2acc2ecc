import { expect } from 'chai';
import { Sonde } from '../../client/index.js';
import { httpAnswer } from '../support/answers.ts';
import { runCommand } from '../support/command.ts';
import { monitored } from '../support/monitored.ts';
import { useAccount, useService } from '../support/service.ts';

const url = 'https://example.com/a';

describe('monitors in the client and the command', () => {
  const service = useService();
  const account = useAccount(service, 10);
  let remembered: string;

  before(async () => {
    const monitor = await monitored(service, account.accountId, 'http', [{ url }]);
    await monitor.run(new Date(Date.now() - 60_000), [httpAnswer()]);
    await monitor.run(new Date(), [httpAnswer({ status: 404, initial_status: 404 })]);
    remembered = monitor.monitorId;
  });

  const sonde = (args: string[], input = '') =>
    runCommand(args, { baseUrl: service.baseUrl, token: account.token }, input);

  it('are created, changed, run and deleted by a program', async () => {
    const { token, accountId } = await service.account(10);
    const client = new Sonde({ token, baseUrl: service.baseUrl });
    const fields = { name: 'M', type: 'index', urls: [url], schedule: { every: 'day' } } as const;
    const { monitor_id: id, credits_per_month: price } = await client.createMonitor({
      ...fields,
      urls: [...fields.urls],
    });
    expect(price).to.be.within(29, 31);
    expect((await client.changeMonitor(id, { name: 'N' })).name).to.equal('N');
    expect((await client.pauseMonitor(id)).status).to.equal('paused');
    expect((await client.resumeMonitor(id)).status).to.equal('active');
    const { run_id: runId } = await client.runMonitor(id);
    expect(await service.credits(accountId)).to.equal(9);
    expect((await all(client.monitorRuns(id))).map((run) => run.run_id)).to.deep.equal([runId]);
    expect((await all(client.monitors())).map((monitor) => monitor.monitor_id)).to.deep.equal([id]);
    await client.deleteMonitor(id);
    const gone = await client.monitor(id).catch((error) => error);
    expect(gone).to.include({ status: 404, code: 'not_found' });
  });

  it('return their runs and events to a program', async () => {
    const client = new Sonde({ token: account.token, baseUrl: service.baseUrl });
    const [change] = await all(client.monitorChanges(remembered, { kind: 'status_changed' }));
    expect(change).to.deep.include({ subject: url, kind: 'status_changed' });
    const [subject] = await all(client.monitorSubjects(remembered));
    expect(subject?.points).to.have.lengthOf(2);
    expect(await all(client.monitorSeries(remembered))).to.have.lengthOf(2);
  });

  it('are created from a list by the command, which prints the cost', async () => {
    const made = await sonde(['watch', '-', '--every', 'week', '--on', 'mon', '--at', '06:00'], `${url}\n`);
    expect(made.code, made.problems).to.equal(0);
    expect(made.problems).to.match(
      /^1 credit per run, [45] in the next 30 days; next .{16} UTC, at 06:00 UTC\n$/,
    );
    const id = made.out.trim();
    const ranks = ['monitor', 'create', '-', '--type', 'rank', '--site', 'example.com', '--every', 'day'];
    const { out } = await sonde([...ranks, '--name', 'Ranks', '--format', 'json'], 'shoes\n');
    expect(JSON.parse(out)).to.include({ type: 'keyword', name: 'Ranks', subjects: 1 });
    const list = (await sonde(['monitor', 'list'])).out;
    expect(list).to.match(new RegExp(`^${id}  http +week +active +1  .{16}  Standard input$`, 'm'));
    expect((await sonde(['monitor', 'pause', id])).out).to.include('  paused ');
    expect((await sonde(['monitor', 'delete', id])).code).to.equal(0);
    expect((await sonde(['monitor', 'show', id])).code).to.equal(2);
    const changes = await sonde(['monitor', 'changes', remembered]);
    expect(changes.out).to.match(/status_changed +https:\/\/example\.com\/a {2}.*status 200 → 404/);
  });

  it('have a setting for their mails', async () => {
    const client = new Sonde({ token: account.token, baseUrl: service.baseUrl });
    expect((await sonde(['monitor', 'digest'])).out).to.equal('Emails when runs end\n');
    const daily = ['monitor', 'digest', '--every', 'day', '--at', '07:30', '--timezone', 'Europe/Berlin'];
    expect((await sonde(daily)).out).to.equal('Emails every day at 07:30 Europe/Berlin\n');
    expect(await client.digest()).to.include({ every: 'day', at: '07:30', timezone: 'Europe/Berlin' });
    expect(await client.changeDigest({ every: 'run' })).to.include({ every: 'run', at: null });
    expect((await sonde(['monitor', 'digest', '--every', 'week'])).code).to.equal(2);
  });

  it('are rejected by the command with advice', async () => {
    const cases: Array<[string[], string]> = [
      [['watch', '-'], 'The interval is missing. Use --every hour, day, week or month.'],
      [['watch', '-', '--every', 'day', '--type', 'x'], '--type must be http, index or rank.'],
      [['watch', 'a', '--every', 'day', '--sitemap', 'b'], 'Use a file or --sitemap, not both.'],
      [['monitor', 'stop'], 'Use sonde monitor with one of list, show, create, run, pause'],
      [['monitor', 'run'], 'The monitor id is missing.'],
      [['watch', '-', '--every', 'day'], 'These lines are invalid:\n  line 2:'],
    ];
    for (const [args, says] of cases) {
      const { code, problems } = await sonde(args, `${url}\nhttp://10.0.0.1/\n`);
      expect([code, problems.includes(says)], problems).to.deep.equal([2, true]);
    }
  });
});

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of list) found.push(each);
  return found;
}
