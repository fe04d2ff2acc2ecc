import { expect } from 'chai';
import * as users from '../../db/accounts/users.ts';
import * as mails from '../../db/notifications/mails.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { mailQueue } from '../../db/queue/queue.ts';
import { enqueueMail } from '../../mail/enqueue.ts';
import { afterTest } from '../support/after-test.ts';
import { eventually } from '../support/eventually.ts';
import { replaceLostWorker } from '../support/jobs.ts';
import { startFaulty } from '../support/processes.ts';
import { TestService } from '../support/service.ts';
import { pathIn } from '../support/smtp.ts';

describe('mails when the worker dies', () => {
  /**
   * Fail points before the connection to the server, and after the server has accepted the mail but before this is
   * recorded.
   */
  const cases = [
    ['before_mail', 1],
    ['after_mail', 2],
  ] as const;

  for (const [point, times] of cases) {
    it(`at ${point} reach the server ${times === 1 ? 'once' : 'twice, the same'}, and are recorded as sent`, () =>
      workerDiesAt(point, times));
  }

  async function workerDiesAt(point: string, times: number): Promise<void> {
    const service = await TestService.start({}, { mails: true });
    const boss = await service.boss();
    afterTest(() => service.stop());
    const { accountId } = await service.account(0);
    const address = 'ada@example.com';
    await users.create(service.db, { accountId, email: address, passwordHash: null });
    const mailId = await inTransaction(service.db, (trx) =>
      enqueueMail(trx, { boss, mail: 'smtp' }, { template: 'reset', address }),
    );
    const doomed = await startFaulty('worker', point, 1, service.env);
    expect(await doomed.ended).to.equal('SIGKILL');
    expect(service.mails.received).to.have.lengthOf(times - 1);
    await replaceLostWorker(service.db, boss, mailQueue);
    await service.addWorker();
    await eventually(async () => {
      const mail = await mails.find(service.db, mailId ?? '');
      return mail?.state === 'sent' ? mail : null;
    });
    expect(service.mails.received).to.have.lengthOf(times);
    const ids = new Set(service.mails.received.map(({ headers }) => headers.get('message-id')));
    expect([...ids]).to.deep.equal([`<${mailId}@localhost>`]);
    expect(new Set(service.mails.received.map(pathIn)).size).to.equal(1);
  }
});
