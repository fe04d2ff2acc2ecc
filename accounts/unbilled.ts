import type { ItemError } from '../schemas/failures.ts';
import { failures } from '../schemas/failures.ts';
import type { UnbilledWork } from './allowance.ts';

/** Cost of a check without an answer. */
export interface CheckCost {
  upstreamPages: number;
  slotSeconds: number;
}

/** A request to a target costs more than its time. */
const secondsOfTryMin = 1;
const rowBytes = 512;

/** Returns the cost of one try. */
export function costOfTry({ pages, ms }: { pages: number; ms: number }): CheckCost {
  return { upstreamPages: pages, slotSeconds: Math.max(secondsOfTryMin, ms / 1000) };
}

/**
 * Returns what a refunded check adds to its account's allowance: all of it where the caller is at fault. Where we are,
 * or it may be either, the pages that came, because a provider that is down bills none, and what is kept of a long
 * input, because lists that no provider takes would fill the disk. A name that cannot be looked up is the caller's
 * choice as long as our own network is not in doubt.
 */
export function unbilledByRefund(
  { error, input }: { error: ItemError; input: object },
  cost: CheckCost,
  isNetworkInDoubt: boolean,
): UnbilledWork {
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

/** Counts the rows that it costs to keep these inputs: one for each 512 bytes of JSON that are begun. */
export function keptRows(inputs: readonly object[]): number {
  return inputs.reduce(
    (rows, input) => rows + Math.ceil(Buffer.byteLength(JSON.stringify(input)) / rowBytes),
    0,
  );
}

// Of a row of a list beside its text.
const rowOverheadBytes = 128;
/** So that the longest list takes less than an hour's allowance of an account that has paid for nothing. */
const listRowsMax = 9_000;

/** Returns what it costs to keep the list of a monitor: a row for each 512 bytes of all of it that are begun. */
export function keptList(inputs: readonly object[]): UnbilledWork {
  const bytesOf = (input: object) => Buffer.byteLength(JSON.stringify(input)) + rowOverheadBytes;
  const bytes = inputs.reduce((sum, input) => sum + bytesOf(input), 0);
  return { keptRows: Math.min(listRowsMax, Math.ceil(bytes / rowBytes)) };
}

export function sumOf(works: readonly UnbilledWork[]): UnbilledWork {
  const sum: UnbilledWork = {};
  for (const work of works) {
    for (const [name, count] of Object.entries(work)) {
      const kind = name as keyof UnbilledWork;
      sum[kind] = (sum[kind] ?? 0) + count;
    }
  }
  return sum;
}
