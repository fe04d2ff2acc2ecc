import { expect } from 'chai';
import { runPageTask } from '../../../checks/page/page-task.ts';
import { createPageThread, type PageThread } from '../../../checks/page/page-thread.ts';

describe('a thread for pages', () => {
  const where = { url: 'https://a.example/x', finalUrl: 'https://a.example/x', redirected: false };
  const page = (filler: number) =>
    `<title>Not found</title><h1>Page not found</h1><div class="b">${'<p>word</p>'.repeat(filler)}</div>`;
  let thread: PageThread;

  before(() => {
    thread = createPageThread();
  });

  after(() => thread.close());

  for (const [size, filler] of [
    ['short', 1],
    ['long', 2000],
  ] as const)
    for (const isWhole of [true, false])
      it(`answers of a ${size} page ${isWhole ? 'as a whole' : 'as far as needed'} what is answered here`, async () => {
        const task = { html: page(filler), isCut: false, where, isWhole };
        const { page: read, verdict } = await thread.run(task);
        const here = runPageTask(task);
        expect({ read, verdict }).to.deep.equal({ read: here.page, verdict: here.verdict });
      });

  it('leaves the event loop to others meanwhile', async () => {
    let turns = 0;
    let isRead = false;
    const reading = thread.run({ html: page(20_000), isCut: false, where, isWhole: true }).finally(() => {
      isRead = true;
    });
    while (!isRead) {
      turns += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await reading;
    expect(turns).to.be.greaterThan(10);
  });
});
