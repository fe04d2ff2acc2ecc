import { expect } from 'chai';
import { runCommand } from '../support/command.ts';
import { TestService } from '../support/service.ts';
import { serveSite, type TestSite } from '../support/web.ts';

describe('lines that do not fit', () => {
  let service: TestService;
  let site: TestSite;

  before(async () => {
    site = await serveSite();
    service = await TestService.start({}, { worker: true });
  });

  after(async () => {
    await service.stop();
    await site.close();
  });

  const check = async (lines: string[], ...options: string[]) => {
    const { token } = await service.account(2);
    return runCommand(['http', '-', ...options], { baseUrl: service.baseUrl, token }, lines.join('\n'));
  };
  const mixed = () => [`${site.url}/good`, 'no address', `${site.url}/moved`];

  it('are named, and what may be done about them', async () => {
    const { code, problems } = await check(mixed());
    expect(code).to.equal(2);
    expect(problems).to.match(/line 2: .*\n.*--skip-invalid/);
  });

  it('are told apart from what has no answer, and the command ends as for the others', async () => {
    const { code, problems } = await check(mixed(), '--skip-invalid');
    const summary = '2 good, 0 not, 0 without an answer (refunded), 1 skipped (not charged)\n';
    expect([problems, code]).to.deep.equal([summary, 0]);
  });

  it('leave no answer where there are no others', async () => {
    expect((await check(['no address', 'nor this'], '--skip-invalid')).code).to.equal(5);
  });
});
