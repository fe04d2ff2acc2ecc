import { Tokenizer } from 'htmlparser2';

/** The work of a run, independent of the machine. */
export interface Work {
  /** Code units read one by one, by the tokenizer, the decoder of entities and our loops. */
  unitsRead: number;
  /** Pieces written to the tokenizer, and the longest of them. */
  pieces: number;
  longestPiece: number;
  /** Decoders that were created. */
  decoders: number;
}

/** Counts the work of a run by patching `charCodeAt`, `write` and `TextDecoder`. */
export async function countWork<Result>(run: () => Result | Promise<Result>): Promise<[Work, Result]> {
  const work: Work = { unitsRead: 0, pieces: 0, longestPiece: 0, decoders: 0 };
  const { charCodeAt } = String.prototype;
  const { write } = Tokenizer.prototype;
  String.prototype.charCodeAt = function (at) {
    work.unitsRead++;
    return charCodeAt.call(this, at);
  };
  Tokenizer.prototype.write = function (piece) {
    work.pieces++;
    work.longestPiece = Math.max(work.longestPiece, piece.length);
    write.call(this, piece);
  };
  const { TextDecoder } = globalThis;
  globalThis.TextDecoder = class extends TextDecoder {
    constructor(...asked: ConstructorParameters<typeof TextDecoder>) {
      work.decoders++;
      super(...asked);
    }
  };
  try {
    return [work, await run()];
  } finally {
    globalThis.TextDecoder = TextDecoder;
    String.prototype.charCodeAt = charCodeAt;
    Tokenizer.prototype.write = write;
  }
}
