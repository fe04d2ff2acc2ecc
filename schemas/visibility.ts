/**
 * Relative share of clicks of the first 20 ranks. `name` tells clients which curve was used. Visibilities are not
 * stored, but computed from ranks. Source: docs/monitors.md.
 */
export const visibilityCurve = {
  name: 'sonde-1',
  weights: [30, 16, 11, 8, 6.5, 5, 4, 3.2, 2.7, 2.3, 1.6, 1.4, 1.2, 1.1, 1, 0.9, 0.8, 0.7, 0.6, 0.5],
} as const;

/** Returns the visibility of one query: 1 at rank 1, and 0 after rank 20. Rank 0 means not ranked. */
export function visibilityAt(rank: number): number {
  const [first] = visibilityCurve.weights;
  return (visibilityCurve.weights[rank - 1] ?? 0) / first;
}
