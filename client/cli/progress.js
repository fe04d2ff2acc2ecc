import { printable } from './printable.js';

const width = 30;

/** Progress bar on a terminal, for batches that run one after another. */
export class Progress {
  #stream;
  #before = 0;
  #total;

  constructor(stream, total) {
    this.#stream = stream;
    this.#total = total;
  }

  /** Shows the progress of all batches. `batch` is the current batch. */
  show(batch) {
    const done = this.#before + batch.processed;
    const share = this.#total > 0 ? done / this.#total : 1;
    const bar = '█'.repeat(Math.floor(share * width)).padEnd(width, '░');
    const failed = batch.failed > 0 ? `, ${batch.failed} failed` : '';
    const count = `${Math.floor(share * 100)}%  ${done} of ${this.#total}${failed}`;
    const line = batch.waiting ? `${count}, ${formatWaiting(batch.waiting)}` : `${bar} ${count}`;
    // The line must not wrap, because a wrapped line cannot be erased.
    const columns = this.#stream.columns || line.length + 1;
    this.#stream.raw.write(`\r\x1b[K${printable(line.slice(0, columns - 1))}`);
  }

  next(batch) {
    this.#before += batch.total;
  }

  clear() {
    if (this.#stream.isTTY) this.#stream.raw.write('\r\x1b[K');
  }
}

function formatWaiting({ reason, until }) {
  return `waiting until ${new Date(until).toTimeString().slice(0, 5)} (${reason})`;
}
