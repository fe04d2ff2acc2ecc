import type { Readable } from 'node:stream';

/**
 * Buffers the data of a stream. Data that arrived before an error is kept. Destroys the stream at the limit of
 * `readUpTo`.
 */
export class BodyReader {
  readonly #stream: Readable;
  #parts: Buffer[] = [];
  #bytes = 0;
  #bytesMax = Number.POSITIVE_INFINITY;
  #isEnded = false;
  #onEnd: (() => void) | null = null;

  constructor(stream: Readable) {
    this.#stream = stream;
    stream.on('data', (part: Buffer) => this.#addPart(part));
    // A body that breaks off is treated like a shorter body.
    stream.on('error', () => {});
    const end = () => this.#end();
    stream.once('end', end);
    stream.once('close', end);
  }

  /** Returns the first `bytesMax` bytes, or fewer if the stream ends or fails earlier. Call this once. */
  async readUpTo(bytesMax: number): Promise<Buffer> {
    this.#bytesMax = bytesMax;
    if (this.#bytes >= bytesMax) this.#stream.destroy();
    else if (!this.#isEnded)
      await new Promise<void>((resolve) => {
        this.#onEnd = resolve;
      });
    const parts = this.#parts;
    const bytes = this.#bytes;
    this.#parts = [];
    const [first] = parts;
    // A small page arrives in one piece and needs no copy.
    if (first && parts.length === 1) return first.subarray(0, bytesMax);
    return Buffer.concat(parts, Math.min(bytes, bytesMax));
  }

  #addPart(part: Buffer): void {
    if (this.#isEnded) return;
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes < this.#bytesMax) return;
    this.#end();
    this.#stream.destroy();
  }

  #end(): void {
    this.#isEnded = true;
    this.#onEnd?.();
  }
}
