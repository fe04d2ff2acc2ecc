import { type CheckType, checkTypeEntry } from '../schemas/check-types.ts';

/**
 * Deals inputs into the slices that one job each will carry. Equal searches share a slice, so that one search
 * can answer them all; where a type has none, each input is its own.
 */
export function deal<T extends { input: object }>(type: CheckType, inputs: readonly T[]): T[][] {
  const { inputsPerJob, searchFields } = checkTypeEntry(type);
  const units = searchFields ? bySearch(inputs, searchFields) : inputs.map((input) => [input]);
  return Array.from({ length: Math.ceil(units.length / inputsPerJob) }, (_, slice) =>
    units.slice(slice * inputsPerJob, (slice + 1) * inputsPerJob).flat(),
  );
}

function bySearch<T extends { input: object }>(inputs: readonly T[], fields: readonly string[]): T[][] {
  const units = new Map<string, T[]>();
  for (const each of inputs) {
    const asked = each.input as Record<string, unknown>;
    const key = JSON.stringify(fields.map((field) => asked[field]));
    const unit = units.get(key);
    if (unit) unit.push(each);
    else units.set(key, [each]);
  }
  return [...units.values()];
}
