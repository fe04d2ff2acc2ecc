import { expect } from 'chai';
import { parse } from 'node-html-parser';
import { visit } from '../../../support/dashboard.ts';
import { TestService } from '../../../support/service.ts';

describe('the pages of a monitor whose run is at work', () => {
  let service: TestService;

  // Without a worker, so that what has begun stays at work.
  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  it('say how far it is and offer no other run, which would be refused and not charged', async () => {
    const account = await service.account(1000);
    const browser = await visit(service, account);
    const list = {
      text: 'https://a.example/1\nhttps://a.example/2',
      type: 'http',
      check: 'watch',
      once: 'm',
    };
    const { location: path = '' } = await browser.post('/', list, { from: '/' });
    const look = async () => {
      const page = parse((await browser.get(path ?? '')).text);
      return {
        head: page.querySelector('main .head')?.text,
        buttons: page.querySelectorAll('.head .buttons button').map(({ text }) => text),
        changes: page.querySelector('.runs td[data-label=Changes]')?.text,
      };
    };
    const listed = async () => {
      const state = parse((await browser.get('/monitors')).text).querySelector('td[data-label=State]');
      return state?.text.trim().replaceAll(/\s+/g, ' ');
    };
    expect(await listed()).to.equal('Active');
    expect((await look()).buttons).to.deep.equal(['Run now · 2 credits', 'Pause']);
    await browser.post(`${path}/run`, { once: 'first' }, { from: path ?? '' });
    const going = await look();
    expect(going.head).to.contain('A run is going: 0 of 2');
    expect([going.buttons, going.changes]).to.deep.equal([['Pause'], '–']);
    expect(await listed()).to.equal('Active Running 0 of 2');
    await browser.post(`${path}/run`, { once: 'second' }, { from: path ?? '' });
    expect((await browser.get(path ?? '')).text).to.contain('A run of this monitor is at work.');
    expect((await service.call('/credits', { token: account.token })).body.credits).to.equal(998);
  });
});
