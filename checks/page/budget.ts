/**
 * Limit of the work on one page, in characters. Each pass over a text counts its length; phrases, elements and blocks
 * have a fixed cost. Unlike a time limit, it has the same result on every machine: a long page is always judged from
 * the same part of it.
 */
export class Budget {
  /** Characters visited so far. The last step may exceed `max`. */
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
