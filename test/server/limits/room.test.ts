import { expect } from 'chai';
import { createRoom } from '../../../server/limits/room.ts';

describe('room that accounts share', () => {
  it('is given to an account up to its share, and again when it is given back', () => {
    const room = createRoom({ perAccount: 10, inAll: 100 });
    const leave = room.enter(1, 6);
    expect(room.enter(1, 5)).to.equal(null);
    expect(room.enter(1, 4)).to.be.a('function');
    leave?.();
    leave?.();
    expect(room.enter(1, 6)).to.be.a('function');
    expect(room.enter(1, 1)).to.equal(null);
  });

  for (const greedy of [1, 4, 20]) {
    it(`lets a newcomer in beside ${greedy} who take all they can`, () => {
      const room = createRoom({ perAccount: 4, inAll: 160 });
      for (let account = 1; account <= greedy; account++) {
        while (room.enter(account, 1));
      }
      expect(room.enter(1000, 1)).to.be.a('function');
    });
  }

  it('has something for whoever holds nothing, however full it is', () => {
    const room = createRoom({ perAccount: 4, inAll: 8, firstAlways: 2 });
    for (let account = 1; account <= 10; account++) {
      const leave = room.enter(account, 2);
      expect(leave).to.be.a('function');
      if (account > 4) expect(room.enter(account, 1)).to.equal(null);
    }
    expect(room.enter(11, 3)).to.equal(null);
  });

  for (const greedy of [1, 4, 20, 100]) {
    it(`lets an account in that holds nothing beside ${greedy} who begin all they can and end nothing`, () => {
      let clockMs = 0;
      const gone: string[] = [];
      const room = createRoom({ perAccount: 4, inAll: 32, aloneMs: 5000 }, () => clockMs);
      const begin = (accountId: number, name: string) =>
        room.enter(accountId, 1, { canGiveWay: () => true, giveWay: () => gone.push(name) });
      for (let account = 1; account <= greedy; account++) {
        for (let count = 0; count < 4; count++) begin(account, `${account}, ${count}`);
      }
      gone.length = 0;
      const isAtOnce = greedy < 32;
      expect(begin(1000, 'victim') !== null).to.equal(isAtOnce);
      // One of those who hold more than one, or nobody where there is room.
      expect(gone.length).to.equal(greedy === 20 ? 1 : 0);
      clockMs = 5000;
      const leave = isAtOnce ? null : begin(1000, 'victim');
      if (!isAtOnce) expect(leave).to.be.a('function');
      // Who is in has five seconds in which nobody drives it out again.
      clockMs = isAtOnce ? 4999 : 9999;
      for (let account = 1; account <= greedy; account++) begin(account + 2000, 'again');
      expect(gone).not.to.include('victim');
    });
  }

  it('is given up by the oldest of whoever holds most, and by nothing that may stay', () => {
    const gone: string[] = [];
    const room = createRoom({ perAccount: 6, inAll: 12, aloneMs: 5000 }, () => 0);
    const begin = (accountId: number, amount: number, name: string, mayGo = true) =>
      room.enter(accountId, amount, { canGiveWay: () => mayGo, giveWay: () => gone.push(name) });
    begin(1, 2, 'first of 1');
    begin(1, 2, 'second of 1');
    const leave = begin(2, 3, 'done', false);
    begin(2, 1, 'second of 2');
    begin(2, 1, 'third of 2');
    begin(3, 3, 'only one of 3');
    expect(gone).to.deep.equal([]);
    expect(begin(4, 1, 'only one of 4')).to.be.a('function');
    expect(gone).to.deep.equal(['second of 2']);
    expect(begin(5, 3, 'only one of 5')).to.be.a('function');
    expect(gone).to.deep.equal(['second of 2', 'first of 1', 'third of 2']);
    // Nobody else may be sent away, and nobody is sent away for nothing.
    expect(begin(6, 6, 'only one of 6')).to.equal(null);
    expect(gone.length).to.equal(3);
    leave?.();
    expect(begin(6, 3, 'only one of 6')).to.be.a('function');
  });
});
