import { Readable } from 'node:stream';
import { expect } from 'chai';
import { close } from '../../accounts/close.ts';
import { operate } from '../../admin/tool.ts';
import { createTestBoss } from '../support/boss.ts';
import { TestService } from '../support/service.ts';

describe('a disabled account', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });

  after(() => service.stop());

  async function admin(...args: string[]) {
    let [out, err] = ['', ''];
    const code = await operate(args, {
      env: service.env,
      input: Readable.from([]),
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
    });
    return { code, out, err };
  }

  async function open(email: string) {
    const { out } = await admin('account', 'create', '--email', email, '--password', 'long enough', '--json');
    const { account_id: accountId, token } = JSON.parse(out);
    return { accountId, account: ['--account', String(accountId)], token };
  }

  it('is enabled again, with its tokens', async () => {
    const { account, token } = await open('away@example.com');
    const status = async () => (await service.call('/credits', { token })).status;
    expect((await admin('account', 'disable', ...account)).code).to.equal(0);
    expect(await status()).to.equal(401);
    expect((await admin('account', 'enable', ...account)).code).to.equal(0);
    expect(await status()).to.equal(200);
  });

  it('stays closed when its holder deleted it', async () => {
    const { accountId, account } = await open('gone@example.com');
    const { directUrl: url, backend } = service.config.database;
    const boss = createTestBoss({ url, backend, max: 1, role: 'web' });
    await boss.start();
    await close(service.db, { boss, mail: 'off' }, accountId);
    await boss.stop({ graceful: false });
    const { code, err } = await admin('account', 'enable', ...account);
    expect([code, err]).to.deep.equal([
      1,
      `Account ${accountId} is not there, has no user, or was deleted by its holder.\n`,
    ]);
  });
});
