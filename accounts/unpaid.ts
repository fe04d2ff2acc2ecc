import type { ItemError } from '../schemas/failures.ts';
import { failures } from '../schemas/failures.ts';
import type { UnpaidWork } from './allowance.ts';

/** What a check without an answer has cost. */
export interface CheckCost {
  upstreamPages: number;
  slotSeconds: number;
}

/** A request to a target is more than the moment it takes. */
const secondsOfTryMin = 1;
const rowBytes = 512;

/** What one try has cost. */
export function costOfTry({ pages, ms }: { pages: number; ms: number }): CheckCost {
  return { upstreamPages: pages, slotSeconds: Math.max(secondsOfTryMin, ms / 1000) };
}

/**
 * What a refunded check adds to its account's allowance: all of it where its caller is at fault. Where we are, or it
 * may be either, the pages that came, for a provider that is down is paid for none; and what is kept of an input
 * beyond what an honest one is long, or lists that no provider takes would fill the disk. A name that cannot be looked
 * up is one of the caller's choice as long as our own network is above doubt.
 */
export function unpaidBy(
  { error, input }: { error: ItemError; input: object },
  cost: CheckCost,
  isNetworkInDoubt: boolean,
): UnpaidWork {
  const rows = keptRows([input]);
  switch (failures[error].fault) {
    case 'network':
      return { ...(isNetworkInDoubt ? {} : cost), keptRows: rows - 1 };
    case 'ours':
    case 'either':
      return { upstreamPages: cost.upstreamPages, keptRows: rows - 1 };
    case 'caller':
      return { ...cost, keptRows: rows };
  }
}

/**
 * What so many checks like this one may come to without an answer. Where the input names no pages there are two
 * at most, which weigh like the twenty seconds of a slow fetch.
 */
export function mayCost(input: object, checks: number): UnpaidWork {
  const { start_page: from = 1, end_page: to = 2 } = input as { start_page?: number; end_page?: number };
  return { upstreamPages: checks * (to - from + 1) };
}

/** How many rows it weighs like to keep these inputs: one for each that is begun of 512 bytes of JSON. */
export function keptRows(inputs: readonly object[]): number {
  return inputs.reduce(
    (rows, input) => rows + Math.ceil(Buffer.byteLength(JSON.stringify(input)) / rowBytes),
    0,
  );
}

// Of a row of a list beside its text.
const rowOverheadBytes = 128;
/** So that an account that has paid for nothing may keep one list, however long, an hour. */
const listRowsMax = 9_000;

/** What it costs to keep a list that nobody has paid for: a row for each 512 bytes of all of it that are begun. */
export function keptList(inputs: readonly object[]): UnpaidWork {
  const bytesOf = (input: object) => Buffer.byteLength(JSON.stringify(input)) + rowOverheadBytes;
  const bytes = inputs.reduce((sum, input) => sum + bytesOf(input), 0);
  return { keptRows: Math.min(listRowsMax, Math.ceil(bytes / rowBytes)) };
}

/** As much less of it. */
export function givenBack(work: UnpaidWork): UnpaidWork {
  return Object.fromEntries(Object.entries(work).map(([kind, count]) => [kind, -count]));
}

/** All of it together. */
export function sumOf(works: readonly UnpaidWork[]): UnpaidWork {
  const sum: UnpaidWork = {};
  for (const work of works) {
    for (const [name, count] of Object.entries(work)) {
      const kind = name as keyof UnpaidWork;
      sum[kind] = (sum[kind] ?? 0) + count;
    }
  }
  return sum;
}
