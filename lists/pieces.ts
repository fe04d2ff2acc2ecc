/** A text in pieces, as a file or a form brings it. */
export type Pieces = Iterable<string> | AsyncIterable<string>;

// Enough for the header and some hundred rows of any export.
const sampleLengthMax = 64 * 1024;

/** The beginning of a text, to be judged by, and the whole of it again. */
export interface Sampled {
  sample: string;
  /** Whether the sample is all there is. */
  isWhole: boolean;
  pieces: AsyncGenerator<string>;
}

/** Reads as far as a judgement needs. A byte order mark is no part of the text. */
export async function sampled(pieces: Pieces): Promise<Sampled> {
  const rest = iteratorOf(pieces);
  let sample = '';
  let isWhole = false;
  while (sample.length < sampleLengthMax && !isWhole) {
    const { done, value } = await rest.next();
    if (done) isWhole = true;
    else sample += sample === '' ? value.replace(/^\ufeff/, '') : value;
  }
  return { sample, isWhole, pieces: joined(sample, rest) };
}

async function* joined(sample: string, rest: AsyncIterator<string> | Iterator<string>) {
  if (sample !== '') yield sample;
  for (;;) {
    const { done, value } = await rest.next();
    if (done) return;
    yield value;
  }
}

function iteratorOf(pieces: Pieces): AsyncIterator<string> | Iterator<string> {
  return Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
}
