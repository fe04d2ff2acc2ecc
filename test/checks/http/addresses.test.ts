import { expect } from 'chai';
import { enterTarget, resolveAddresses } from '../../../checks/http/redirects.ts';
import { CheckSlots } from '../../../checks/http/slots.ts';
import { createAddressPolicy } from '../../../net/address.ts';
import { FetchError } from '../../../net/fetch-error.ts';
import { createResolver } from '../../../net/resolver.ts';
import { takeSlot } from '../../support/target-tools.ts';

describe('checks by address', () => {
  const url = new URL('http://192.0.2.1/');
  const address = { address: '192.0.2.1', family: 4 } as const;
  const soon = () => performance.now() + 60_000;
  const toCode = (error: unknown) => (error instanceof FetchError ? error.code : error);

  async function twoSlots() {
    const slots = new CheckSlots({ limit: 10, hostLimit: 1 });
    return { one: await takeSlot(slots), other: await takeSlot(slots) };
  }

  it('do not begin after an abort, though a slot is free', async () => {
    const { one, other } = await twoSlots();
    const until = { signal: AbortSignal.abort(), deadlineMs: soon() };
    const tools = { resolver: createResolver(), policy: createAddressPolicy([]), lastAddresses: new Map() };
    expect(await resolveAddresses(url, tools, until).catch(toCode)).to.equal('aborted');
    expect(await enterTarget(url, [address], one, until).catch(toCode)).to.equal('aborted');
    const { signal } = new AbortController();
    expect(await enterTarget(url, [address], other, { signal, deadlineMs: soon() })).to.equal(address);
  });

  it('wait for a slot until an abort or the deadline', async () => {
    const { one, other } = await twoSlots();
    const giveUp = new AbortController();
    const { signal } = giveUp;
    await enterTarget(url, [address], one, { signal, deadlineMs: soon() });
    const late = enterTarget(url, [address], other, { signal, deadlineMs: performance.now() });
    expect(await late.catch(toCode)).to.equal('no_slot');
    const waiting = enterTarget(url, [address], other, { signal, deadlineMs: soon() });
    giveUp.abort();
    expect(await waiting.catch(toCode)).to.equal('aborted');
  });
});
