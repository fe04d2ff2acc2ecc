import type { ItemError } from '../schemas/failures.ts';
import { failures } from '../schemas/failures.ts';
import type { UnbilledWork } from './allowance.ts';

/** Unbilled cost of a check without an answer. */
export interface CheckCost {
  upstreamPages: number;
  slotSeconds: number;
}

/** Minimum seconds counted per check: even a fast request has other costs. */
const secondsMin = 1;
const rowBytes = 512;

export function costOfAttempt({ pages, ms }: { pages: number; ms: number }): CheckCost {
  return { upstreamPages: pages, slotSeconds: Math.max(secondsMin, ms / 1000) };
}

/**
 * Returns the unbilled work of a refunded check. If the caller is at fault, the check's cost and all its stored rows
 * count. Otherwise, rows count only from the second on, because long inputs could fill the disk. After a network error,
 * the cost counts unless our own network is in doubt. After other errors, only fetched pages count, since a provider
 * that is down bills none.
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

/** Returns the rows that storing these inputs costs: one per started 512 bytes of each input's JSON. */
export function countStoredRows(inputs: readonly object[]): number {
  return inputs.reduce(
    (rows, input) => rows + Math.ceil(Buffer.byteLength(JSON.stringify(input)) / rowBytes),
    0,
  );
}

/** Size of a list row without its text. */
const rowOverheadBytes = 128;
/** Costs less than an hour's base allowance, so that every account can store the longest list. */
const listRowsMax = 9_000;

/** Returns the cost of storing the list of a monitor: a row per started 512 bytes of the whole list. */
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
