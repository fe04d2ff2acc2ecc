import { expect } from 'chai';
import { Itinerary } from '../../../checks/http/itinerary.ts';
import { CheckSlots } from '../../../checks/http/slots.ts';
import { createAddressPolicy } from '../../../net/address.ts';
import { FetchError } from '../../../net/fetch-error.ts';
import { createResolver } from '../../../net/resolver.ts';

describe('where a check is', () => {
  const url = new URL('http://192.0.2.1/');
  const address = { address: '192.0.2.1', family: 4 } as const;
  const soon = () => performance.now() + 60_000;
  const codeOf = (error: unknown) => (error instanceof FetchError ? error.code : error);

  async function itinerary() {
    const slots = new CheckSlots({ limit: 10, hostLimit: 1 });
    const { signal } = new AbortController();
    const enter = () => slots.take({ accountId: 1, host: null, signal });
    const tools = { resolver: createResolver(), policy: createAddressPolicy([]) };
    const next = async () => {
      const slot = await enter();
      if (!slot) throw new Error('no slot');
      return new Itinerary(slot, tools);
    };
    return { one: await next(), other: await next() };
  }

  it('is nowhere once it was aborted, though there is a place', async () => {
    const { one, other } = await itinerary();
    const until = { signal: AbortSignal.abort(), deadlineMs: soon() };
    expect(codeOf(await one.addressesOf(url, until).catch((error) => error))).to.equal('aborted');
    expect(codeOf(await one.goTo(url, [address], until).catch((error) => error))).to.equal('aborted');
    const { signal } = new AbortController();
    expect((await other.goTo(url, [address], { signal, deadlineMs: soon() })).address).to.equal(address);
  });

  it('waits for a place until it is aborted, or its deadline has passed', async () => {
    const { one, other } = await itinerary();
    const giveUp = new AbortController();
    const { signal } = giveUp;
    await one.goTo(url, [address], { signal, deadlineMs: soon() });
    const late = other.goTo(url, [address], { signal, deadlineMs: performance.now() });
    expect(codeOf(await late.catch((error) => error))).to.equal('no_place');
    const waiting = other.goTo(url, [address], { signal, deadlineMs: soon() });
    giveUp.abort();
    expect(codeOf(await waiting.catch((error) => error))).to.equal('aborted');
  });
});
