import { expect } from 'chai';
import { sql } from 'kysely';
import { queueOf } from '../../db/queue/queue.ts';
import { afterTest } from '../support/after-test.ts';
import { visit } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { asSerper, startGoogle, type TestGoogle } from '../support/google.ts';
import { endedWithoutPauses, moveToNextJob } from '../support/jobs.ts';
import { startWorkerProcess } from '../support/processes.ts';
import { type Answer, TestService } from '../support/service.ts';

const down = { status: 500, body: '' };
const createUrls = (count: number, host = 'indexed.example') =>
  Array.from({ length: count }, (_, nth) => `https://${host}/${nth}`);

describe('a batch while no search provider answers', () => {
  let google: TestGoogle;
  let service: TestService;

  beforeEach(async () => {
    google = await startGoogle();
    service = await TestService.start({ ...google.env('serper'), SERP_REUSE_SECONDS: '0' });
  });

  afterEach(async () => {
    await eventually(async () => {
      await moveToNextJob(service.db, queueOf('index'));
      return (await service.openJobs()).length === 0 || null;
    });
    expect(await service.problems()).to.deep.equal([]);
    await service.stop();
    await google.close();
  });

  const submit = async (account: { token: string }, count: number, host?: string) => {
    const body = { urls: createUrls(count, host) };
    const accepted = await service.call('/check/bulk', { token: account.token, body });
    return { batch_id: accepted.body.batch_id as string, type: 'index' as const };
  };
  const isWaiting = ({ waiting }: Answer['body']) => waiting !== undefined;

  it('waits for three minutes, shows it, and then has every answer', async () => {
    await service.addWorker();
    google.let('serper', down);
    const account = await service.account(20);
    const batch = await submit(account, 20);
    const shown = await service.until(account.token, batch.batch_id, isWaiting);
    expect(shown).to.include({ status: 'processing', processed: 0, credits_refunded: 0 });
    expect(shown.waiting.reason).to.equal('google_unreadable');
    expect(new Date(shown.waiting.until)).to.be.greaterThan(new Date(shown.created_at));
    const listed = await service.call('/batches', { token: account.token });
    expect(listed.body.data[0]).to.have.nested.property('waiting.reason', 'google_unreadable');
    let minutes = 0;
    const ended = await endedWithoutPauses(service, account.token, batch, (seconds) => {
      minutes += seconds / 60;
      if (minutes >= 3) google.let('serper', 'well');
    });
    expect(ended).to.include({ status: 'completed', successful: 20, failed: 0, credits_refunded: 0 });
    expect(ended).to.not.have.property('waiting');
    expect(await service.credits(account.accountId)).to.equal(0);
  });

  it('is refunded with the reason after an hour, and five more attempts', async () => {
    await service.addWorker();
    google.let('serper', down);
    const account = await service.account(20);
    const batch = await submit(account, 20);
    const ended = await endedWithoutPauses(service, account.token, batch);
    expect(ended).to.include({ status: 'failed', failed: 20, credits_refunded: 20 });
    expect(ended.results[0]).to.include({ error: 'google_unreadable', credits: 0 });
    // Each check has six attempts: two immediately, and one after each of the four pauses.
    expect(google.serper.seen).to.have.lengthOf(20 * 6);
    expect(await service.credits(account.accountId)).to.equal(20);
  });

  it('ends after two attempts while one provider is down and the other returns unreadable answers', async () => {
    const both = await TestService.start({ ...google.env(), SERP_REUSE_SECONDS: '0' }, { worker: true });
    afterTest(() => both.stop());
    google.let('serper', down);
    google.let('serpapi', { body: 'no JSON' });
    const { token } = await both.account(20);
    const { body } = await both.call('/check/bulk', { token, body: { urls: createUrls(20) } });
    const ended = await endedWithoutPauses(both, token, { batch_id: body.batch_id, type: 'index' });
    expect(ended).to.include({ status: 'failed', failed: 20, credits_refunded: 20 });
    // Each check sends at most two requests.
    expect(google.serpapi.seen.length).to.be.within(10, 40);
  });

  it('loses nothing if a worker is killed meanwhile', async () => {
    const doomed = await startWorkerProcess(service.env);
    google.let('serper', down);
    const account = await service.account(20);
    const batch = await submit(account, 20);
    await service.until(account.token, batch.batch_id, isWaiting);
    await eventually(async () => ((await jobsIn('active')) === 0 ? true : null));
    doomed.kill('SIGKILL');
    await doomed.ended;
    google.let('serper', 'well');
    await service.addWorker();
    const ended = await endedWithoutPauses(service, account.token, batch);
    expect(ended).to.include({ status: 'completed', successful: 20 });
    expect(google.serper.seen).to.have.lengthOf(20);
  });

  it('shows on its page that it waits, and why, and can be canceled, with a refund', async () => {
    await service.addWorker();
    google.let('serper', down);
    const account = await service.account(20);
    const { batch_id: id } = await submit(account, 20);
    await service.until(account.token, id, isWaiting);
    const browser = await visit(service, account);
    expect((await browser.get(`/batches/${id}`)).text).to.contain('No search provider is answering.');
    const { body } = await service.call(`/batch/${id}/cancel`, { token: account.token, method: 'POST' });
    expect((await browser.get(`/batches/${id}`)).text).to.not.contain('No search provider is answering.');
    expect(body).to.include({ status: 'failed', failed: 20, credits_refunded: 20 });
    expect(body).to.not.have.property('waiting');
    expect(await service.credits(account.accountId)).to.equal(20);
    await eventually(async () => ((await jobsIn('active')) === 0 ? true : null));
    google.serper.willAnswer(down);
    await moveToNextJob(service.db, queueOf('index'));
    await eventually(async () => ((await service.openJobs()).length === 0 ? true : null));
    expect(google.serper.seen).to.have.lengthOf(0);
  });

  it('delays neither other batches of its account nor other accounts', async () => {
    await service.addWorker();
    google.serper.willAnswer(({ body }) => {
      const asked = JSON.parse(body);
      return asked.q.includes('down.') ? down : { body: asSerper(asked) };
    });
    const [large, account, other] = [
      await service.account(300),
      await service.account(220),
      await service.account(20),
    ];
    const outage = 'indexed.down.example';
    const waiting = [
      [large, await submit(large, 300, outage)],
      [account, await submit(account, 200, outage)],
    ] as const;
    for (const [{ token }, { batch_id: id }] of waiting) await service.until(token, id, isWaiting);
    const behind = await submit(account, 20);
    const beside = await submit(other, 20);
    const able = [
      [account, behind],
      [other, beside],
    ] as const;
    for (const [{ token }, { batch_id: id }] of able)
      expect(await service.ended(token, id)).to.include({ status: 'completed', successful: 20 });
    for (const [{ token }, { batch_id: id }] of waiting) {
      expect(await service.until(token, id, isWaiting)).to.include({ processed: 0 });
      await service.call(`/batch/${id}/cancel`, { token, method: 'POST' });
    }
  });

  async function jobsIn(state: string): Promise<number> {
    const { rows } = await sql<{ jobs: number }>`
      select count(*) as jobs from pgboss.job where name = ${queueOf('index')} and state::text = ${state}`.execute(
      service.db,
    );
    return rows[0]?.jobs ?? 0;
  }
});
