import { expect } from 'chai';
import { weigh } from '../../accounts/allowance.ts';
import { unpaidBy } from '../../accounts/unpaid.ts';
import { type ItemError, itemErrors } from '../../schemas/failures.ts';
import { eventually } from '../support/eventually.ts';
import { startGoogle } from '../support/google.ts';
import { TestService } from '../support/service.ts';

const cost = { upstreamPages: 3, slotSeconds: 2 };
const input = { url: 'https://a.example/' };
const longInput = { url: `https://a.example/${'x'.repeat(2000)}` };
const rowsOfLong = 4;
const addedBy = (error: ItemError, given: object, isNetworkInDoubt = false) =>
  unpaidBy({ error, input: given }, cost, isNetworkInDoubt);

describe('a check without an answer', () => {
  for (const error of itemErrors) {
    it(`adds the pages that came and what is kept of a long input: ${error}`, () => {
      const work = addedBy(error, longInput);
      expect(work.upstreamPages).to.equal(cost.upstreamPages);
      expect(work.keptRows).to.be.at.least(rowsOfLong - 1);
    });
  }

  it('adds nothing for a short input where our network is in doubt, or a provider is down', () => {
    expect(weigh(addedBy('checker_unreachable', input, true))).to.equal(0);
    const nothingCame = { upstreamPages: 0, slotSeconds: 20 };
    expect(weigh(unpaidBy({ error: 'google_unreadable', input }, nothingCame, false))).to.equal(0);
  });

  it('adds the pages it bought before the calls of the day were used up', async () => {
    const google = await startGoogle();
    const env = {
      ...google.env('serper'),
      PROVIDER_DAILY_LIMIT: '40',
      SERP_REUSE_SECONDS: '0',
      RATE_LIMIT_PER_MINUTE: '600',
    };
    const service = await TestService.start(env, { worker: true });
    try {
      const { token, accountId } = await service.account(20);
      const queries = Array.from({ length: 10 }, (_, n) => ({
        url: 'nobody.example',
        keyword: `shoes ${n}`,
        end_page: 10,
      }));
      const { body } = await service.call('/keyword-track', { token, body: { queries } });
      await service.ended(token, body.batch_id);
      const charged = 20 - (await service.credits(accountId));
      const unpaid = google.serper.seen.length - 10 * charged;
      expect(unpaid).to.be.above(20);
      // Some sinks away meanwhile; half is left for many minutes.
      const half = weigh({ upstreamPages: unpaid / 2 });
      await eventually(async () => {
        const { body: allowance } = await service.call('/credits/allowance', { token });
        return allowance.used >= half || null;
      });
    } finally {
      await service.stop();
      await google.close();
    }
  });
});
