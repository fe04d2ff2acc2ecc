import type { ItemError } from '../schemas/failures.ts';
import { failures } from '../schemas/failures.ts';
import type { UnbilledWork } from './allowance.ts';

/** Unbilled cost of a check without an answer. */
export interface CheckCost {
  upstreamPages: number;
  slotSeconds: number;
}

/** Minimum number of seconds counted per check, because even a fast request has costs. */
const secondsMin = 1;
const rowBytes = 512;

export function costOfAttempt({ pages, ms }: { pages: number; ms: number }): CheckCost {
  return { upstreamPages: pages, slotSeconds: Math.max(secondsMin, ms / 1000) };
}

/**
 * Returns the unbilled work of a refunded check. The cause of the error decides what is included:
 * - the caller: the cost of the check and all rows that store its input (`countStoredRows`)
 * - the network: the cost of the check and all rows but the first. If our own network is in doubt, only these rows
 * - other causes: the pages fetched from providers and all rows but the first
 */
export function unbilledByRefund(
  { error, input }: { error: ItemError; input: object },
  cost: CheckCost,
  isNetworkInDoubt: boolean,
): UnbilledWork {
  const rows = countStoredRows([input]);
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
 * Returns the cost of storing inputs, in rows. An input costs the size of its JSON divided by 512 bytes, rounded up.
 */
export function countStoredRows(inputs: readonly object[]): number {
  return inputs.reduce(
    (rows, input) => rows + Math.ceil(Buffer.byteLength(JSON.stringify(input)) / rowBytes),
    0,
  );
}

/** Bytes of a list row, in addition to the JSON of its input. */
const rowOverheadBytes = 128;
/**
 * Maximum cost of a list, in rows. This cost is less than the base allowance of an hour, so that every account can
 * store the longest list.
 */
const listRowsMax = 9_000;

/**
 * Returns the cost of storing the list of a monitor. The cost in rows is the size of the list divided by 512 bytes,
 * rounded up, but at most `listRowsMax`.
 */
export function unbilledByList(inputs: readonly object[]): UnbilledWork {
  const bytes = inputs.reduce(
    (sum, input) => sum + Buffer.byteLength(JSON.stringify(input)) + rowOverheadBytes,
    0,
  );
  return { keptRows: Math.min(listRowsMax, Math.ceil(bytes / rowBytes)) };
}

export function addUnbilled(works: readonly UnbilledWork[]): UnbilledWork {
  const sum: UnbilledWork = {};
  for (const work of works) {
    for (const [name, count] of Object.entries(work)) {
      const kind = name as keyof UnbilledWork;
      sum[kind] = (sum[kind] ?? 0) + count;
    }
  }
  return sum;
}
