import { expect } from 'chai';
import { createDocumentThreads } from '../../../checks/sitemap/document-thread.ts';
import { ListError } from '../../../lists/list-error.ts';
import { createWorkbook } from '../../support/workbook.ts';

describe('a list in the documents thread', () => {
  const thread = createDocumentThreads();
  after(() => thread.close());
  const caller = () => ({ accountId: 1, signal: new AbortController().signal });

  it('is read there, and its problem is a ListError here', async () => {
    const workbook = createWorkbook([{ name: 'S', rows: [['url'], ['a.example']] }]);
    const { entries, schemesAdded } = await thread.readList(workbook, { kind: 'urls' }, caller());
    expect([entries.map(({ text }) => text), schemesAdded]).to.deep.equal([['https://a.example'], 1]);
    const error = await thread
      .readList(Buffer.from('GIF89a\0'), {}, caller())
      .catch((fault: unknown) => fault);
    expect(error).to.be.instanceOf(ListError);
    expect((error as Error).message).to.match(/This is an image/);
  });

  it('does not delay JSON bodies', async () => {
    const rows = '<row><c t="str"><v>https://a.example/</v></c></row>'.repeat(90_000);
    let isRead = false;
    const reading = thread.readList(createWorkbook([{ name: 'S', rows }]), {}, caller()).finally(() => {
      isRead = true;
    });
    await thread.readJson(Buffer.from('{}'), caller());
    expect(isRead).to.equal(false);
    await reading;
  });

  it('is given up when its caller leaves', async () => {
    const leaving = new AbortController();
    const rows = '<row><c t="str"><v>https://a.example/</v></c></row>'.repeat(190_000);
    const reading = thread.readList(
      createWorkbook([{ name: 'S', rows }]),
      {},
      { accountId: 1, signal: leaving.signal },
    );
    leaving.abort();
    expect(await reading.catch(({ code }) => code)).to.equal('aborted');
  });
});
