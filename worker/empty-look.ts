/**
 * What a look at a queue that found nothing still tells: while the groups that it passed over may have no more jobs,
 * and nobody has said that there are new ones, another look finds nothing either. It is believed for a while only, for
 * not every job is told of.
 */
export class EmptyLook {
  readonly #believedMs: number;
  #passedOver: string[] | null = null;
  #untilMs = 0;
  #news = 0;

  constructor(believedMs: number) {
    this.#believedMs = believedMs;
  }

  /** Whether there is surely nothing for one who passes over these groups. */
  isKnown(passesOver: string[]): boolean {
    if (this.#passedOver === null || performance.now() >= this.#untilMs) return false;
    return this.#passedOver.every((group) => passesOver.includes(group));
  }

  /** There may be new jobs. */
  forget(): void {
    this.#passedOver = null;
    this.#news += 1;
  }

  /** A look begins; call what it answers when the look has found nothing. */
  begin(passesOver: string[]): () => void {
    const newsBefore = this.#news;
    const untilMs = performance.now() + this.#believedMs;
    return () => {
      // Told of a job meanwhile, it may have looked too early.
      if (this.#news !== newsBefore) return;
      this.#passedOver = passesOver;
      this.#untilMs = untilMs;
    };
  }
}
