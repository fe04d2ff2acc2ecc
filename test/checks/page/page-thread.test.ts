import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { runPageTask } from '../../../checks/page/page-task.ts';
import { createPageThread, type PageThread } from '../../../checks/page/page-thread.ts';

describe('a thread for pages', () => {
  const urls = { url: 'https://a.example/x', finalUrl: 'https://a.example/x', redirected: false };
  const page = (filler: number) =>
    Buffer.from(
      `<title>Not found</title><h1>Page not found</h1><div class="b">${'<p>word</p>'.repeat(filler)}</div>`,
    );
  const rest = { contentType: null, isCut: false, urls };
  const one = { accountId: 1, signal: new AbortController().signal };
  let thread: PageThread;

  before(() => {
    thread = createPageThread(8 * 1024);
  });

  after(() => thread.close());

  for (const [size, filler] of [
    ['short', 1],
    ['long', 2000],
  ] as const)
    for (const isWhole of [true, false])
      it(`returns for a ${size} page ${isWhole ? 'as a whole' : 'as far as needed'} the same as this thread`, async () => {
        const task = () => ({ bytes: page(filler), ...rest, isWhole });
        expect(await thread.run(task(), one)).to.deep.include(runPageTask(task()));
      });

  it('takes over the memory of a long page, so that this thread need not collect it', async () => {
    const html = page(2000);
    const [own, pooled] = [Buffer.allocUnsafeSlow(html.length), Buffer.alloc(64 * 1024)];
    const neighbour = pooled.subarray(html.length);
    for (const memory of [own, pooled]) html.copy(memory);
    for (const bytes of [own, pooled.subarray(0, html.length)]) {
      const read = await thread.run({ bytes, ...rest, isWhole: false }, one);
      expect(read?.page.title).to.equal('Not found');
    }
    expect(own).to.have.lengthOf(0);
    expect(neighbour).to.have.lengthOf(64 * 1024 - html.length);
  });

  it('does not block the event loop', async () => {
    let turns = 0;
    let isRead = false;
    const reading = thread.run({ bytes: page(20_000), ...rest, isWhole: true }, one).finally(() => {
      isRead = true;
    });
    while (!isRead) {
      turns += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await reading;
    expect(turns).to.be.greaterThan(10);
  });

  it('is not ended while it loads its modules, which would end the whole process', async () => {
    const started = once(process, 'worker');
    const begun = createPageThread(8 * 1024);
    const reading = begun.run({ bytes: page(2000), ...rest, isWhole: true }, one).catch(() => {});
    const [worker] = (await started) as [Worker];
    const said: unknown[] = [];
    worker.on('message', (message) => said.push(message));
    const saidBeforeEnd = once(worker, 'exit').then(() => said.length);
    await begun.close();
    expect(await saidBeforeEnd).to.be.greaterThan(0);
    await reading;
  });

  it('reads one page of each account in turn, however many pages of one account wait', async () => {
    const ended: number[] = [];
    const read = (accountId: number) =>
      thread
        .run({ bytes: page(800), ...rest, isWhole: true }, { ...one, accountId })
        .then(() => void ended.push(accountId));
    const readings = [...Array.from({ length: 10 }, () => read(1)), read(2), read(2), read(3)];
    await Promise.all(readings);
    // The thread was reading a page of the first account when the other pages arrived.
    expect(ended.slice(0, 6)).to.deep.equal([1, 1, 2, 3, 1, 2]);
  });

  it('does not read a page whose check has ended, and continues after it', async () => {
    const gaveUp = new AbortController();
    const read = (signal = one.signal) =>
      thread.run({ bytes: page(2000), ...rest, isWhole: true }, { ...one, signal });
    const getCode = (reading: Promise<unknown>) =>
      reading.then(
        () => 'read',
        ({ code }) => code as string,
      );
    const readings = [read(), read(gaveUp.signal), read()].map(getCode);
    gaveUp.abort();
    readings.push(getCode(read(gaveUp.signal)));
    expect(await Promise.all(readings)).to.deep.equal(['read', 'aborted', 'read', 'aborted']);
  });

  it('is replaced when it dies', async () => {
    const started = once(process, 'worker');
    const own = createPageThread(8 * 1024);
    const read = () => own.run({ bytes: page(2000), ...rest, isWhole: true }, one);
    await read();
    const [worker] = (await started) as [Worker];
    await worker.terminate();
    expect(await read()).to.have.nested.property('page.title', 'Not found');
    await own.close();
  });
});
