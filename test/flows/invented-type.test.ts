import { randomUUID } from 'node:crypto';
import { getPriority } from 'node:os';
import { expect } from 'chai';
import { sql } from 'kysely';
import { sweepOrphans } from '../../upkeep/sweep.ts';
import { eventually } from '../support/eventually.ts';
import { startProcess, startWorkerProcess, type TestProcess } from '../support/processes.ts';
import { useReceiver } from '../support/receiver.ts';
import { useAccount, useService } from '../support/service.ts';

const invented = '--import=./test/support/invented/register.ts';

describe('a fourth check type that only some processes know', () => {
  const running: TestProcess[] = [];
  after(async () => {
    for (const one of running) await one.stop();
  });
  const service = useService();
  const receiver = useReceiver();
  const account = useAccount(service);
  let baseUrl: string;

  const start = async (entry: string, isReady: RegExp) => {
    const env = { ...service.env, LOG_FORMAT: 'json' };
    const started = await startProcess([invented, entry], env, isReady);
    running.push(started);
    return started;
  };
  const ask = async (path: string, body?: object) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${account.token}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : null };
  };
  /** Sweep of a process that does not know the type: this one. */
  const sweptByUs = async () => {
    const boss = await service.boss();
    return sweepOrphans(service.db, boss, (error) => expect.fail(String(error)));
  };
  const urls = Array.from({ length: 60 }, (_, n) => `https://a.example/${'x'.repeat(n)}`);

  before(async () => {
    // `migrate` creates the queue of the type before the queue is needed.
    const migrated = await startProcess(
      [invented, 'migrate.ts'],
      { ...service.env, LOG_FORMAT: 'json' },
      /up to date/,
    );
    expect(await migrated.ended).to.equal(0);
    const { said: port } = await start('server/main.ts', /"port":(\d+)/);
    baseUrl = `http://127.0.0.1:${port}`;
  });

  it('is answered by single checks', async () => {
    const { status, body } = await ask('/api/v1/length', { url: 'https://a.example/', limit: 5 });
    expect(status).to.equal(200);
    expect(body).to.include({ url: 'https://a.example/', length: 18, is_long: true });
  });

  it('is accepted, swept, run, reported and exported, and ignored by old workers', async () => {
    // A worker and a sweep that do not know the type must do no harm.
    const hurried = { NODE_OPTIONS: '--import=./test/support/hurried-chores.ts' };
    const old = await startWorkerProcess({ ...service.env, ...hurried });
    running.push(old);
    expect(getPriority(old.pid)).to.equal(Math.min(19, getPriority() + 5));
    const accepted = await ask('/api/v1/length/bulk', {
      urls: [...urls, 'nonsense'],
      on_invalid: 'skip',
      webhook_url: `${receiver.url}/hook`,
    });
    expect(accepted.status).to.equal(202);
    const { batch_id: batchId } = accepted.body;
    await sql`update pgboss.job set id = ${randomUUID()}
      where name = 'length-checks' and state = 'created'
        and id = (select id from pgboss.job where name = 'length-checks' limit 1)`.execute(service.db);
    expect(await sweptByUs()).to.deep.equal({
      singleChecksRefunded: 0,
      chunksEnqueued: 0,
      chunksReenqueued: 0,
      itemsFailed: 0,
      deliveriesReenqueued: 0,
      mailsReenqueued: 0,
    });

    await start('worker/main.ts', /taking jobs/);
    const batch = await eventually(async () => {
      // Every sweep is due at once, in any process.
      await sql`update chores set done_at = now() - interval '1 hour'`.execute(service.db);
      const { body } = await ask(`/api/v1/batch/${batchId}`);
      return body.completed_at ? body : null;
    });
    expect(batch).to.include({ type: 'length', status: 'partial', total: 61, successful: 60, failed: 1 });
    expect(batch.summary).to.deep.equal({ long: 47, short: 13, canceled: 0, skipped: 1 });
    expect(batch.results[60]).to.include({
      error: 'invalid_url',
      message: 'Not a complete URL. It must begin with https:// or http://. You were not charged.',
    });

    const { text } = await ask(`/api/v1/batch/${batchId}/results.csv`);
    expect(text.split('\n')[0]).to.equal(
      'url,state,length,is_long,error,message,credits,request_id,checked_at,reference',
    );
    const hook = await eventually(async () => receiver.received[0] ?? null);
    expect(hook.body).to.include({ type: 'length', successful: 60 });
    const { rows } = await sql<{ name: string }>`
      select distinct name from pgboss.job
      where ${batchId} in (data->>'batch_id', data->>'event_id') order by name`.execute(service.db);
    expect(rows.map(({ name }) => name)).to.deep.equal(['deliveries', 'length-checks']);
  });

  it('is described in the OpenAPI document', async () => {
    const { body: document } = await ask('/openapi.json');
    expect(document.paths).to.include.keys('/api/v1/length', '/api/v1/length/bulk');
    expect(document.components.schemas).to.include.keys(
      'LengthItem',
      'LengthSummary',
      'LengthPayload',
      'LengthBulkRequest',
    );
    expect(document.webhooks).to.include.keys('lengthBatchCompleted');
  });
});
