/**
 * Weights of the signals for and against a soft 404. A page is a soft 404 if it has a strong signal and the sum is at
 * least 100. A title that contains more than the statement has less weight. The names are public, because
 * `soft404_reasons` contains them.
 */
export const signalWeights = {
  title_not_found: { weight: 70, isStrong: true },
  title_error_404: { weight: 65, isStrong: true },
  title_404: { weight: 50, isStrong: true },
  title_mentions_not_found: { weight: 35, isStrong: true },
  title_gone: { weight: 70, isStrong: true },
  title_unavailable: { weight: 50, isStrong: true },
  heading_not_found: { weight: 70, isStrong: true },
  heading_error_404: { weight: 80, isStrong: true },
  heading_404: { weight: 60, isStrong: true },
  heading_mentions_not_found: { weight: 35, isStrong: true },
  heading_gone: { weight: 70, isStrong: true },
  heading_unavailable: { weight: 50, isStrong: true },
  text_not_found: { weight: 85, isStrong: true },
  text_gone: { weight: 80, isStrong: true },
  text_404: { weight: 50, isStrong: true },
  text_bare_not_found: { weight: 30, isStrong: false },
  text_unavailable: { weight: 30, isStrong: false },
  text_lost: { weight: 20, isStrong: false },
  bare_error: { weight: 40, isStrong: true },
  offer_gone: { weight: 135, isStrong: true },
  late_statement: { weight: 0, isStrong: false },
  error_page_root: { weight: 60, isStrong: true },
  error_page_mark: { weight: 40, isStrong: false },
  canonical_error_page: { weight: 40, isStrong: false },
  canonical_elsewhere: { weight: 10, isStrong: false },
  noindex: { weight: 15, isStrong: false },
  short_text: { weight: 25, isStrong: false },
  front_page_link: { weight: 15, isStrong: false },
  redirected_to_front_page: { weight: 30, isStrong: false },
  refreshes_elsewhere: { weight: -80, isStrong: false },
  own_headline: { weight: -25, isStrong: false },
  long_prose: { weight: -50, isStrong: false },
  about_error_pages: { weight: -400, isStrong: false },
  search_results: { weight: -80, isStrong: false },
} as const satisfies Record<string, { weight: number; isStrong: boolean }>;

/** Property of a page that speaks for or against a soft 404. */
export type Signal = keyof typeof signalWeights;

/** Signal for a soft 404. Its weight is positive. */
export type SupportingSignal = {
  [S in Signal]: `${(typeof signalWeights)[S]['weight']}` extends '0' | `-${string}` ? never : S;
}[Signal];

/** Returns the reasons that support a soft 404. Includes results of the comparison with the sibling. */
export function findSupportingReasons(reasons: readonly string[]): string[] {
  return reasons.filter(
    (reason) => !Object.hasOwn(signalWeights, reason) || signalWeights[reason as Signal].weight > 0,
  );
}

/**
 * Returns the sum of the weights. `isStrong`: at least one signal is strong. `isContested`: at least one signal is
 * negative.
 */
export function scoreSignals(signals: readonly Signal[]): {
  score: number;
  isStrong: boolean;
  isContested: boolean;
} {
  return {
    score: signals.reduce((total, signal) => total + signalWeights[signal].weight, 0),
    isStrong: signals.some((signal) => signalWeights[signal].isStrong),
    isContested: signals.some((signal) => signalWeights[signal].weight < 0),
  };
}
