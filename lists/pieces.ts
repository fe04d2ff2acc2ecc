/** Text in pieces, from a file or a form. */
export type Pieces = Iterable<string> | AsyncIterable<string>;

// Enough for the header and a few hundred rows.
const sampleLengthMax = 64 * 1024;

/** The beginning of a text, and the whole text. */
export interface TextSample {
  sample: string;
  /** True if the sample is the whole text. */
  isWhole: boolean;
  /** The whole text. */
  pieces: AsyncGenerator<string>;
}

/** Reads the beginning of a text. Removes a byte order mark. */
export async function readSample(pieces: Pieces): Promise<TextSample> {
  const rest = toIterator(pieces);
  let sample = '';
  let isWhole = false;
  while (sample.length < sampleLengthMax && !isWhole) {
    const { done, value } = await rest.next();
    if (done) isWhole = true;
    else sample += sample === '' ? value.replace(/^\ufeff/, '') : value;
  }
  return { sample, isWhole, pieces: concat(sample, rest) };
}

async function* concat(sample: string, rest: AsyncIterator<string> | Iterator<string>) {
  if (sample !== '') yield sample;
  for (;;) {
    const { done, value } = await rest.next();
    if (done) return;
    yield value;
  }
}

function toIterator(pieces: Pieces): AsyncIterator<string> | Iterator<string> {
  return Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
}
