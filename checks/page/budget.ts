/**
 * Limit of the work on one page, in characters. Each pass over a text costs the length of the text. Phrases, elements
 * and blocks have a fixed cost. Unlike with a time limit, the verdict on a long page is always based on the same part
 * of the page.
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
