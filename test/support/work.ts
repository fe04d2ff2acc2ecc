import { Tokenizer } from 'htmlparser2';

/** What a run did, in numbers that every machine agrees on. */
export interface Work {
  /** Code units looked at one by one, by the tokenizer, the decoder of entities and our own loops. */
  unitsRead: number;
  /** Pieces given to the tokenizer, and the longest of them. */
  pieces: number;
  longestPiece: number;
  /** Decoders of bytes that were asked for. */
  decoders: number;
}

/** Counts the work of a run, by a `charCodeAt`, a `write` and a `TextDecoder` that count their calls while it lasts. */
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
