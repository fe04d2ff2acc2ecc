import { type CheckType, checkTypeEntry } from '../schemas/check-types.ts';

/**
 * Deals inputs into the slices that one job each will carry. Equal searches share a slice, so that one search
 * can answer them all; where a type has none, each input is its own.
 */
export function deal<T extends { input: object }>(type: CheckType, inputs: readonly T[]): T[][] {
  const { inputsPerJob, searchFields } = checkTypeEntry(type);
  if (!searchFields) return slicesOf(inputs, inputsPerJob);
  return slicesOf(bySearch(inputs, searchFields), inputsPerJob).map((units) => units.flat());
}

function slicesOf<T>(all: readonly T[], length: number): T[][] {
  const many = Math.ceil(all.length / length);
  return Array.from({ length: many }, (_, nth) => all.slice(nth * length, (nth + 1) * length));
}

/** Level by level, keywords last: a text of each search would be a megabyte made at once for two thousand long ones. */
function bySearch<T extends { input: object }>(inputs: readonly T[], fields: readonly string[]): T[][] {
  const units: T[][] = [];
  const known: Level<T> = new Map();
  const [keyword, ...others] = fields;
  for (const each of inputs) {
    const asked = each.input as Record<string, unknown>;
    let level = known;
    for (const field of others) level = levelIn(level, asked[field]);
    const unit = level.get(asked[keyword as string]) as T[] | undefined;
    if (unit) unit.push(each);
    else {
      const first = [each];
      units.push(first);
      level.set(asked[keyword as string], first);
    }
  }
  return units;
}

/** By the value of one field: those who have it, or the level of the next field. */
type Level<T> = Map<unknown, T[] | Level<T>>;

function levelIn<T>(level: Level<T>, value: unknown): Level<T> {
  const next = (level.get(value) as Level<T> | undefined) ?? new Map();
  level.set(value, next);
  return next;
}
