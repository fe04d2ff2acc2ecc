import { expect } from 'chai';
import { parse } from 'node-html-parser';
import type { TestAccount } from '../../support/accounts.ts';
import { type FormClient, visit } from '../../support/dashboard.ts';
import { useService } from '../../support/service.ts';

describe('the form for ranks', () => {
  const service = useService({}, { worker: true });
  let account: TestAccount;
  let browser: FormClient;

  before(async () => {
    account = await service.account(10);
    browser = await visit(service, account);
  });

  it("starts with the visitor's country and language", async () => {
    const readDefaults = async (languages: string) => {
      const page = parse((await browser.get('/?check=ranks', { 'Accept-Language': languages })).text);
      return ['country', 'language'].map((name) =>
        page.querySelector(`select[name=${name}] option[selected]`)?.getAttribute('value'),
      );
    };
    expect(await readDefaults('de-AT,de;q=0.9,en;q=0.8')).to.deep.equal(['AT', 'de']);
    expect(await readDefaults('fr')).to.deep.equal(['FR', 'fr']);
    expect(await readDefaults('xx-YY, *;q=0.5')).to.deep.equal(['US', 'en']);
    expect(await readDefaults('')).to.deep.equal(['US', 'en']);
  });

  it('reads competitors line by line, and all pages only if the user asks for them', async () => {
    const check = async (full: string) => {
      const form = {
        ...{ text: 'shoes', type: 'ranks', check: 'go', target: 'rank-3.example', pages: '2', full },
        ...{ competitors: 'rank-7.example\nnobody.example', once: `full-${full}` },
      };
      const { location } = await browser.post('/', form);
      const id = location?.split('/').at(-1) ?? '';
      await service.ended(account.token, id);
      return (await service.call(`/batch/${id}`, { token: account.token })).body.results[0];
    };
    const stopped = await check('');
    expect(stopped).to.deep.include({ end_page: 2, competitor_urls: ['rank-7.example', 'nobody.example'] });
    expect([stopped.full, stopped.pages_searched]).to.deep.equal([undefined, 1]);
    expect(await check('yes')).to.include({ full: true, pages_searched: 2 });
    await service.quiet();
  });
});
