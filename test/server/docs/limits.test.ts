import { expect } from 'chai';
import { guidePage } from '../../support/guide.ts';
import { TestService } from '../../support/service.ts';

describe('how long things are kept, in the guide', () => {
  for (const [RETENTION_DAYS, HISTORY_DAYS, kept, ofRanks, inHistory] of [
    ['90', '1100', '90 days', '30 days', '1,100 days'],
    ['1', '2', '1 day', '1 day', '2 days'],
  ] as const) {
    it(`is the same on both pages, with its unit: ${kept}, ${ofRanks}, ${inHistory}`, async () => {
      const service = await TestService.start({ RETENTION_DAYS, HISTORY_DAYS });
      try {
        const answers = (await guidePage(service, '/docs/answers')).text;
        expect(answers).to.contain(
          `Results are kept for ${kept}, index verdicts and ranks in the history for ${inHistory}.`,
        );
        expect(answers).to.contain(`results are kept for ${ofRanks} and shown`);
        const rows = (await guidePage(service, '/docs/limits')).querySelectorAll('tbody tr');
        const limits = Object.fromEntries(
          rows.map((row) => row.querySelectorAll('th, td').map((cell) => cell.text)),
        );
        expect(limits).to.include({
          'Results are kept': kept,
          'The results of a rank are kept': ofRanks,
          'Index verdicts and ranks are kept': inHistory,
        });
      } finally {
        await service.stop();
      }
    });
  }
});
