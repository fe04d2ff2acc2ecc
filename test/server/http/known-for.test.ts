import { expect } from 'chai';
import { knownFor } from '../../../server/http/known-for.ts';

describe('what is known for a while', () => {
  let nowMs = 0;
  let asked = 0;
  const state = { isGood: true };
  const know = knownFor(
    1000,
    async () => {
      asked += 1;
      await Promise.resolve();
      if (!state.isGood) throw new Error('away');
      return asked;
    },
    () => nowMs,
  );

  it('is asked for once by many, and again when its time is up', async () => {
    expect(await Promise.all([know(), know(), know()])).to.deep.equal([1, 1, 1]);
    nowMs = 999;
    expect(await know()).to.equal(1);
    nowMs = 1000;
    expect(await know()).to.equal(2);
  });

  it('may be an error, which is no dearer', async () => {
    state.isGood = false;
    nowMs = 2000;
    const answers = await Promise.allSettled([know(), know()]);
    expect(answers.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    await know().catch(() => {});
    expect(asked).to.equal(3);
  });
});
