import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { sendText } from '../../../../server/api/results/stream.ts';
import { serve } from '../../../support/web.ts';

describe('a long response', () => {
  it('ends at its deadline, even while it is read', async () => {
    const { promise: sent, resolve, reject } = Promise.withResolvers<void>();
    const endless = async function* () {
      for (;;) {
        await nextTurn();
        yield 'x';
      }
    };
    const site = await serve((_, res) => {
      const { signal } = new AbortController();
      sendText(res as never, endless(), signal, { forMs: 50 }).then(resolve, reject);
    });
    const read = await fetch(site.url)
      .then((response) => response.text())
      .catch((error: unknown) => error);
    await sent;
    // The connection breaks, so that the text does not look complete.
    expect(read).to.be.instanceOf(Error);
    await site.close();
  });
});
