/** Result for one set of recordings, with the same shape for every subject. */
export type Judgement = {
  subject: string;
  /** Name of the set, such as 'own pages', or the folder of the recordings. */
  title: string;
  items: number;
  /** Shares between 0 and 1 by name. */
  figures: Readonly<Record<string, number>>;
  /** Minimum of each figure. A figure without a minimum is for information only. */
  bars: Readonly<Record<string, number>>;
  wrong: readonly Miss[];
};

/** A recording with a wrong result. */
export type Miss = { item: string; expected: string; got: string; reasons: readonly string[] };

/** Returns whether every figure reaches its minimum. */
export function hasPassed({ figures, bars }: Judgement): boolean {
  return Object.entries(bars).every(([name, bar]) => (figures[name] ?? 0) >= bar);
}

/** Formats a judgement for the terminal. */
export function formatJudgement(judgement: Judgement): string {
  const { subject, title, items, figures, bars, wrong } = judgement;
  const shares = Object.entries(figures).map(([name, share]) => {
    const bar = bars[name];
    return `${name} ${share.toFixed(3)}${bar === undefined ? '' : ` (at least ${bar})`}`;
  });
  return [
    `${subject}, ${title}: ${items} recordings, ${hasPassed(judgement) ? 'passed' : 'NOT PASSED'}`,
    `  ${shares.join('   ')}`,
    ...wrong.flatMap((miss) => [
      `  wrong: ${miss.item}`,
      `    expected ${miss.expected}, got ${miss.got} (${miss.reasons.join(', ') || 'no signals'})`,
    ]),
  ].join('\n');
}
