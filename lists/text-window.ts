/** The part of a text that arrives in pieces, from which a tokenizer still reads. */
export class TextWindow {
  #pieces: Array<{ start: number; text: string }> = [];
  #length = 0;

  /** Length of the text that is still kept. */
  get keptLength(): number {
    return this.#length - (this.#pieces[0]?.start ?? this.#length);
  }

  add(text: string): void {
    this.#pieces.push({ start: this.#length, text });
    this.#length += text.length;
  }

  /**
   * Returns a copy of a part of the text, by positions in all of it. Drops the pieces before it, which a slice of V8
   * would keep in memory.
   */
  slice(start: number, end: number, lengthMax: number): string {
    const stop = Math.min(end, start + lengthMax);
    const first = this.#pieces.findIndex((piece) => start < piece.start + piece.text.length);
    if (first > 0) this.#pieces = this.#pieces.slice(first);
    const [piece] = this.#pieces;
    if (piece && stop <= piece.start + piece.text.length)
      return ` ${piece.text.slice(Math.max(0, start - piece.start), stop - piece.start)}`.slice(1);
    let text = '';
    for (const piece of this.#pieces) {
      if (piece.start >= stop) break;
      text += piece.text.slice(Math.max(0, start - piece.start), stop - piece.start);
    }
    return text;
  }
}
