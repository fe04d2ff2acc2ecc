import { expect } from 'chai';
import { inTransaction } from '../../db/connect.ts';
import * as mails from '../../db/mails.ts';
import * as users from '../../db/users.ts';
import { owe } from '../../mail/owe.ts';
import { createTestBoss } from '../support/boss.ts';
import { eventually } from '../support/eventually.ts';
import { startFaulty } from '../support/processes.ts';
import { TestService } from '../support/service.ts';
import { pathIn, serveMails } from '../support/smtp.ts';

describe('mails whose worker dies', () => {
  /** Before it has spoken to the server, or after the server took the mail and before that is on record. */
  const cases = [
    ['before_mail', 1],
    ['after_mail', 2],
  ] as const;

  const stories = new Map<string, Promise<void>>();

  before(() => {
    // Each waits for a heartbeat to run out, so they run side by side.
    for (const [point, times] of cases) stories.set(point, workerDiesAt(point, times));
    for (const story of stories.values()) story.catch(() => {});
  });

  after(() => Promise.allSettled(stories.values()));

  for (const [point, times] of cases) {
    it(`at ${point} reach the server ${times === 1 ? 'once' : 'twice, the same'}, and are on record as sent`, () =>
      stories.get(point));
  }

  async function workerDiesAt(point: string, times: number): Promise<void> {
    const server = await serveMails();
    const service = await TestService.start({ SMTP_URL: server.url });
    const { url } = service.config.database;
    const boss = createTestBoss({ url, backend: 'postgres', max: 1, role: 'web' });
    await boss.start();
    try {
      const { accountId } = await service.account(0);
      const address = 'ada@example.com';
      await users.create(service.db, { accountId, email: address, passwordHash: null });
      const mailId = await inTransaction(service.db, (trx) =>
        owe(trx, { boss, mail: 'smtp' }, { template: 'reset', address }),
      );
      const doomed = await startFaulty('worker', point, 1, service.env);
      expect(await doomed.ended).to.equal('SIGKILL');
      expect(server.received).to.have.lengthOf(times - 1);
      await service.addWorker();
      await eventually(async () => {
        const mail = await mails.find(service.db, mailId ?? '');
        return mail?.state === 'sent' ? mail : null;
      });
      expect(server.received).to.have.lengthOf(times);
      const ids = new Set(server.received.map(({ headers }) => headers.get('message-id')));
      expect([...ids]).to.deep.equal([`<${mailId}@localhost>`]);
      expect(new Set(server.received.map(pathIn)).size).to.equal(1);
    } finally {
      await boss.stop({ graceful: false });
      await service.stop();
      await server.close();
    }
  }
});
