import { expect } from 'chai';
import { EmptyLook } from '../../worker/job-taker.ts';

describe('a look at a queue that found nothing', () => {
  it('tells that there is nothing for whoever passes over as much, and no more than that', () => {
    const look = new EmptyLook(60_000);
    expect(look.isKnown(['1', '2'])).to.equal(false);
    look.begin(['1', '2'])();
    expect(look.isKnown(['1', '2'])).to.equal(true);
    expect(look.isKnown(['2', '3', '1'])).to.equal(true);
    expect(look.isKnown(['1'])).to.equal(false);
    look.forget();
    expect(look.isKnown(['1', '2'])).to.equal(false);
  });

  it('tells nothing when news came while it was under way', () => {
    const look = new EmptyLook(60_000);
    const foundNothing = look.begin(['1']);
    look.forget();
    foundNothing();
    expect(look.isKnown(['1'])).to.equal(false);
  });

  it('is believed for a while only', () => {
    const look = new EmptyLook(0);
    look.begin([])();
    expect(look.isKnown([])).to.equal(false);
  });
});
