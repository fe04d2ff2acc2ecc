import { expect } from 'chai';
import type { ProviderGate } from '../../../checks/search/gate.ts';
import { checkIndex } from '../../../checks/search/index-check.ts';
import { Search } from '../../../checks/search/search.ts';
import { afterMs, hurried, openGate, patient, type ToldProvider, tell } from '../../support/serps.ts';

const found = ['https://example.com/'];
const url = 'https://example.com/';
const never = (): Promise<never> => new Promise(() => {});

/** A search behind a gate, and for whom calls were counted. */
function searchBehind(provider: ToldProvider, gate: Partial<ProviderGate>) {
  const counted: unknown[] = [];
  const count: ProviderGate['count'] = async (_provider, accountId) => counted.push(accountId) > 0;
  const search = new Search({
    providers: [provider],
    gate: { ...openGate, count, ...gate },
    reuseSeconds: 60,
  });
  const check = (accountId: number, asked = url) => checkIndex(asked, search, { ...patient, accountId });
  return { search, counted, check };
}

describe('a search that others ask as well', () => {
  it('is not refused because the share of who asked first is used up', async () => {
    const enter: ProviderGate['enter'] = async (_provider, { accountId }) =>
      accountId === 1 ? 'daily_limit' : () => {};
    const { check } = searchBehind(
      tell('one', () => found),
      { enter },
    );
    const [greedy, victim] = await Promise.all([check(1), check(2)]);
    expect([greedy.state, victim.state]).to.deep.equal(['failed', 'success']);
  });

  it('is not refused because the last call of who asked first has just gone', async () => {
    const provider = tell('one', () => found);
    const { check } = searchBehind(provider, { count: async (_provider, accountId) => accountId !== 1 });
    const [greedy, victim] = await Promise.all([check(1), check(2)]);
    expect([greedy.state, victim.state]).to.deep.equal(['failed', 'success']);
    expect(provider.asked).to.have.lengthOf(1);
  });

  it('does not stand in the line of who asked first, with its own urgency', async () => {
    const provider = tell('one', () => found);
    const behind = Promise.withResolvers<void>();
    const urgent: boolean[] = [];
    const enter: ProviderGate['enter'] = async (_provider, { accountId, isUrgent }) => {
      urgent.push(isUrgent);
      if (accountId === 1) await behind.promise;
      return () => {};
    };
    const { check, search, counted } = searchBehind(provider, { enter });
    const greedy = check(1);
    const victim = await checkIndex(url, search, { ...hurried(20_000), accountId: 2 });
    expect(victim).to.have.property('state', 'success');
    expect(urgent).to.deep.equal([false, true]);
    behind.resolve();
    expect(await greedy).to.have.property('state', 'success');
    expect([provider.asked.length, counted]).to.deep.equal([1, [2]]);
  });

  it('gives its place back at once where it shares a call, and counts none', async () => {
    const page = Promise.withResolvers<string[]>();
    const left: unknown[] = [];
    const bothLeft = Promise.withResolvers<void>();
    const enter: ProviderGate['enter'] = async (_provider, { accountId }) => {
      return (pages, until) => {
        if (left.push([accountId, pages, until !== undefined]) === 1) bothLeft.resolve();
      };
    };
    const { check, counted } = searchBehind(
      tell('one', () => page.promise),
      { enter },
    );
    const both = [check(1), check(2)];
    await bothLeft.promise;
    page.resolve(found);
    await Promise.all(both);
    expect(left).to.deep.equal([
      [2, 0, true],
      [1, 1, false],
    ]);
    expect(counted).to.deep.equal([1]);
  });

  it('is answered at once to who began it, whatever its line is like', async () => {
    let isHeld = false;
    const enter = async () => (isHeld ? never() : () => {});
    const { check } = searchBehind(
      tell('one', () => afterMs(5, found)),
      { enter },
    );
    await check(1);
    isHeld = true;
    expect(await check(1)).to.have.property('state', 'success');
  });

  const held: [why: string, enter: () => Promise<'daily_limit'>][] = [
    ['whose share of the day is used up', async () => 'daily_limit'],
    ['whose places are all held', never],
  ];
  for (const [why, enterHeld] of held) {
    for (const isInFlight of [false, true]) {
      it(`tells an account ${why} nothing of what is ${isInFlight ? 'in flight' : 'kept'}`, async () => {
        const page = Promise.withResolvers<string[]>();
        const provider = tell('one', () => page.promise);
        const enter: ProviderGate['enter'] = async (_provider, { accountId }) =>
          accountId === 1 ? () => {} : enterHeld();
        const { check, search } = searchBehind(provider, { enter });
        const first = check(1);
        if (!isInFlight) {
          page.resolve(found);
          await first;
        }
        const spy = (asked: string) => checkIndex(asked, search, { ...hurried(50), accountId: 2 });
        const answers = [spy(url), spy('https://example.com/other')];
        page.resolve(found);
        const [of, other] = await Promise.all(answers);
        expect(of).to.deep.equal(other);
        expect(of).to.have.property('state', 'failed');
        await first;
      });
    }
  }
});
