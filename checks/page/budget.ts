/**
 * How much of a stranger's page may be visited, in characters: those of its text each time they are walked,
 * phrases tried at one of them, and for an element or a block what it costs beside its letters. A count,
 * unlike a clock, comes out the same on every machine, so that a page which spends it all is always judged by
 * the same part of it.
 */
export class Budget {
  /** Characters visited so far; over `max` by no more than the last step took. */
  visited = 0;
  readonly max: number;

  constructor(max: number) {
    this.max = max;
  }

  get isSpent(): boolean {
    return this.visited >= this.max;
  }

  visit(chars: number): void {
    this.visited += chars;
  }
}
