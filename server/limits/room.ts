/** How much of something there is: for one account, and for all of them together in this process. */
export interface RoomSize {
  perAccount: number;
  inAll: number;
  /** So much is given to an account that holds nothing, whatever the others hold; nothing unless told otherwise. */
  firstAlways?: number;
  /** For so long what is the only thing that its account holds need not give way; for ever unless told otherwise. */
  aloneMs?: number;
}

/** Something that accounts hold at the same time, such as bytes of bodies. */
export interface Room {
  /**
   * Takes so much for an account and answers how to give it back, which may be done twice; null when there is
   * no room.
   */
  enter(accountId: number, amount: number, held?: Held): (() => void) | null;
}

/** What was let in, and may have to go again. */
export interface Held {
  /** Whether it may still be sent away. */
  canGiveWay(): boolean;
  /** It is sent away: its room is another's from now on. */
  giveWay(): void;
}

interface Entry {
  accountId: number;
  amount: number;
  sinceMs: number;
  held: Held;
}

/** A quarter is kept for those who hold nothing, so that a few who hold all they may keep nobody out. */
const keptForNewcomers = 0.25;

const always: Held = { canGiveWay: () => false, giveWay: () => {} };

/**
 * Where an account that holds nothing finds no room, the oldest gives way of whoever holds most. An account keeps the
 * last thing it holds for a while, or those who come again and again would let nobody come to an end.
 */
export function createRoom(
  { perAccount, inAll, firstAlways = 0, aloneMs = Number.POSITIVE_INFINITY }: RoomSize,
  nowMs = () => performance.now(),
): Room {
  // In the order in which they came.
  const entries = new Set<Entry>();
  const heldBy = new Map<number, { amount: number; count: number }>();
  let heldInAll = 0;
  const none = { amount: 0, count: 0 };

  const change = ({ accountId, amount }: Entry, sign: 1 | -1) => {
    const own = heldBy.get(accountId) ?? none;
    const now = { amount: own.amount + sign * amount, count: own.count + sign };
    if (now.count > 0) heldBy.set(accountId, now);
    else heldBy.delete(accountId);
    heldInAll += sign * amount;
  };
  const leave = (entry: Entry) => {
    if (entries.delete(entry)) change(entry, -1);
  };

  /** The first to give way: of those who hold most, the oldest. */
  const firstToGo = (): Entry | null => {
    let first: Entry | null = null;
    for (const entry of entries) {
      const { amount, count } = heldBy.get(entry.accountId) ?? none;
      const isProtected = count < 2 && nowMs() - entry.sinceMs < aloneMs;
      if (isProtected || !entry.held.canGiveWay()) continue;
      if (first === null || amount > (heldBy.get(first.accountId) ?? none).amount) first = entry;
    }
    return first;
  };

  /** Those that go so that there is room for so much; null when there is none all the same. */
  const makeRoom = (amount: number): Entry[] | null => {
    const gone: Entry[] = [];
    while (heldInAll + amount > inAll) {
      const entry = firstToGo();
      if (entry === null) break;
      leave(entry);
      gone.push(entry);
    }
    if (heldInAll + amount <= inAll) return gone;
    for (const entry of gone) {
      entries.add(entry);
      change(entry, 1);
    }
    return null;
  };

  return {
    enter: (accountId, amount, held = always) => {
      const own = heldBy.get(accountId) ?? none;
      const isNewcomer = own.count === 0;
      const limit = isNewcomer ? inAll : inAll * (1 - keptForNewcomers);
      if (own.amount + amount > perAccount) return null;
      if (heldInAll + amount > limit && !(isNewcomer && amount <= firstAlways)) {
        const gone = isNewcomer ? makeRoom(amount) : null;
        if (gone === null) return null;
        for (const { held } of gone) held.giveWay();
      }
      const entry = { accountId, amount, sinceMs: nowMs(), held };
      entries.add(entry);
      change(entry, 1);
      return () => leave(entry);
    },
  };
}
