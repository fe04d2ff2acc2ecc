const width = 30;

/** A bar on a terminal while batches run. */
export class Progress {
  #stream;
  #before = 0;
  #total;

  constructor(stream, total) {
    this.#stream = stream;
    this.#total = total;
  }

  /** What of the batch now running is done; those before it are done. */
  show(batch) {
    const done = this.#before + batch.processed;
    const share = this.#total > 0 ? done / this.#total : 1;
    const bar = '█'.repeat(Math.floor(share * width)).padEnd(width, '░');
    const failed = batch.failed > 0 ? `, ${batch.failed} failed` : '';
    this.#stream.raw.write(`\r\x1b[K${bar} ${Math.floor(share * 100)}%  ${done} of ${this.#total}${failed}`);
  }

  next(batch) {
    this.#before += batch.total;
  }

  clear() {
    if (this.#stream.isTTY) this.#stream.raw.write('\r\x1b[K');
  }
}
