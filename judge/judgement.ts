/** What judging one set of recordings showed; the same for every subject. */
export type Judgement = {
  subject: string;
  /** Which recordings: 'own pages', or the folder they are in. */
  title: string;
  items: number;
  /** Shares between 0 and 1 by name. */
  figures: Readonly<Record<string, number>>;
  /** The least each figure may be; a figure without a bar is for information. */
  bars: Readonly<Record<string, number>>;
  wrong: readonly Miss[];
};

/** A recording on which we were wrong. */
export type Miss = { item: string; expected: string; got: string; reasons: readonly string[] };

/** Whether every figure reaches its bar. */
export function isPassed({ figures, bars }: Judgement): boolean {
  return Object.entries(bars).every(([name, bar]) => (figures[name] ?? 0) >= bar);
}

/** A judgement as lines to read. */
export function formatJudgement(judgement: Judgement): string {
  const { subject, title, items, figures, bars, wrong } = judgement;
  const shares = Object.entries(figures).map(([name, share]) => {
    const bar = bars[name];
    return `${name} ${share.toFixed(3)}${bar === undefined ? '' : ` (at least ${bar})`}`;
  });
  return [
    `${subject}, ${title}: ${items} recordings, ${isPassed(judgement) ? 'passed' : 'NOT PASSED'}`,
    `  ${shares.join('   ')}`,
    ...wrong.flatMap((miss) => [
      `  wrong: ${miss.item}`,
      `    expected ${miss.expected}, got ${miss.got} (${miss.reasons.join(', ') || 'no signals'})`,
    ]),
  ].join('\n');
}
