import { expect } from 'chai';
import { sql } from 'kysely';
import { afterTest } from '../../support/after-test.ts';
import { eventually } from '../../support/eventually.ts';
import { PostgresProxy } from '../../support/postgres-proxy.ts';
import { TestService, useService } from '../../support/service.ts';

describe('operation endpoints', () => {
  const service = useService({ METRICS_TOKEN: 'a metrics token' });

  it('report that the process is alive and ready', async () => {
    expect((await service.call('//healthz')).body).to.deep.equal({ success: true, status: 'alive' });
    expect((await service.call('//readyz')).body).to.deep.equal({ success: true, status: 'ready' });
  });

  it('share one database query among many readiness probes', async () => {
    const proxy = new PostgresProxy();
    afterTest(() => proxy.close());
    const asked = await TestService.start({}, { pooler: proxy.open });
    afterTest(() => asked.stop());
    const before = proxy.statements;
    const answers = await Promise.all(Array.from({ length: 200 }, () => asked.call('//readyz')));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    // Separately they would send five statements each.
    expect(proxy.statements - before).to.be.below(200);
  });

  it('report missing database functions', async () => {
    const other = await TestService.start();
    afterTest(() => other.stop());
    await sql`delete from chores where chore like 'functions %'`.execute(other.db);
    const unready = await eventually(async () => {
      const answer = await other.call('//readyz');
      return answer.status === 503 ? answer : null;
    });
    expect(unready.body.message).to.match(/missing: functions\. Run npm run migrate/);
  });

  it('report missing migrations', async () => {
    await sql`delete from kysely_migration where name like '0006%'`.execute(service.db);
    const unready = await eventually(async () => {
      const answer = await service.call('//readyz');
      return answer.status === 503 ? answer : null;
    });
    expect(unready.body.message).to.match(/0006-webhooks.*npm run migrate/);
  });

  it('show metrics to the operator only', async () => {
    expect((await service.call('//metrics')).status).to.equal(404);
    expect((await service.call('//metrics', { token: 'wrong' })).status).to.equal(404);
    await sql`insert into provider_usage values ('serper', '2026-11-01', 9, 8, 5), ('serper', '2026-11-02', 1, 1, 1)`.execute(
      service.db,
    );
    const { status, text } = await service.call('//metrics', { token: 'a metrics token' });
    expect(status).to.equal(200);
    expect(text).to.match(/sonde_http_request_duration_seconds_count\{.*route="\/healthz".*\} 1/);
    expect(text).to.match(/^sonde_ledger_ok /m);
    expect(text).to.match(/^sonde_monitors_lateness_seconds 0$/m);
    expect(text).to.match(/^sonde_monitors_due\{when="within_minute"\} 0$/m);
    expect(text).to.match(/^sonde_provider_pages_total\{provider="serper"\} 9$/m);
    expect(text).to.match(/^sonde_provider_answers_total\{provider="serper"\} 6$/m);
  });

  it('hide metrics without METRICS_TOKEN', async () => {
    const other = await TestService.start();
    expect((await other.call('//metrics', { token: '' })).status).to.equal(404);
    await other.stop();
  });
});
