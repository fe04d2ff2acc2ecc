import { expect } from 'chai';
import * as tokens from '../../../db/accounts/tokens.ts';
import { activities } from '../../../schemas/activity.ts';
import { guidePage } from '../../support/guide.ts';
import { TestService } from '../../support/service.ts';

describe('the page of people and tokens', () => {
  it('says of each invented host what a test token is answered', async () => {
    const service = await TestService.start();
    try {
      const { accountId } = await service.account(0);
      const token = await tokens.issue(service.db, accountId, 'trial', { isTest: true });
      const rows = (await guidePage(service, '/docs/people')).querySelectorAll('#hosts + .table tbody tr');
      expect(rows).to.have.length.above(10);
      for (const row of rows) {
        const [host = '', asked = '', answer = ''] = row.childNodes.map(({ text }) => text);
        const { body } = await service.call(...askingAbout(host, asked, token));
        const said = [...answer.matchAll(/(\w+): ("\w+"|\w+)/g)];
        const fields = said.map(([, field = '', value = '']) => [field, JSON.parse(value)]);
        expect(fields, host).not.to.deep.equal([]);
        expect(body, host).to.include(Object.fromEntries(fields));
      }
    } finally {
      await service.stop();
    }
  });

  it('says what each word of the activity means, and which body makes a token', async () => {
    const service = await TestService.start();
    try {
      const shown = await guidePage(service, '/docs/people');
      const rows = shown.querySelectorAll('#activity ~ .table tbody tr');
      const said = rows.map((row) => row.childNodes.map(({ text }) => text));
      expect(said).to.deep.equal(Object.entries(activities));
      const body = JSON.parse(shown.querySelector('#tokens ~ pre code')?.text ?? '');
      const { accountId } = await service.account(0);
      const token = await tokens.issue(service.db, accountId, 'maker', { scope: 'manage' });
      const made = await service.call('/tokens', { token, body });
      expect(made.status, JSON.stringify(made.body)).to.equal(201);
      expect(JSON.stringify(made.body)).to.contain('Nightly crawl');
    } finally {
      await service.stop();
    }
  });
});

function askingAbout(host: string, asked: string, token: string): [string, { token: string; body: object }] {
  if (asked === 'rank')
    return ['/keyword-track', { token, body: { queries: [{ url: host, keyword: 'shoes' }] } }];
  return [asked === 'index' ? '/check' : '/http-status', { token, body: { url: `https://${host}/` } }];
}
