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
});
