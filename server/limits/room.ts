/** How much of something there is: for one account, and for all of them together in this process. */
export interface RoomSize {
  perAccount: number;
  inAll: number;
  /** So much is given to an account that holds nothing, whatever the others hold; nothing unless told otherwise. */
  firstAlways?: number;
}

/** Something that accounts hold at the same time, such as bytes of bodies or streams of results. */
export interface Room {
  /**
   * Takes so much for an account and answers how to give it back, which may be done twice; null when there is
   * no room.
   */
  enter(accountId: number, amount: number): (() => void) | null;
}

/** A quarter is kept for those who hold nothing, so that a few who hold all they may keep nobody out. */
const keptForNewcomers = 0.25;

export function createRoom({ perAccount, inAll, firstAlways = 0 }: RoomSize): Room {
  const held = new Map<number, number>();
  let heldInAll = 0;
  const change = (accountId: number, amount: number) => {
    const now = (held.get(accountId) ?? 0) + amount;
    if (now > 0) held.set(accountId, now);
    else held.delete(accountId);
    heldInAll += amount;
  };
  return {
    enter: (accountId, amount) => {
      const own = held.get(accountId) ?? 0;
      const limit = own === 0 ? inAll : inAll * (1 - keptForNewcomers);
      const isFirst = own === 0 && amount <= firstAlways;
      if (own + amount > perAccount || (heldInAll + amount > limit && !isFirst)) return null;
      change(accountId, amount);
      let isHeld = true;
      return () => {
        if (isHeld) change(accountId, -amount);
        isHeld = false;
      };
    },
  };
}
