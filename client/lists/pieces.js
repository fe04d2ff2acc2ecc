// Enough for the header and some hundred rows of any export.
const sampleLengthMax = 64 * 1024;
/** Reads as far as a judgement needs. A byte order mark is no part of the text. */
export async function sampled(pieces) {
    const rest = iteratorOf(pieces);
    let sample = '';
    let isWhole = false;
    while (sample.length < sampleLengthMax && !isWhole) {
        const { done, value } = await rest.next();
        if (done)
            isWhole = true;
        else
            sample += sample === '' ? value.replace(/^\ufeff/, '') : value;
    }
    return { sample, isWhole, pieces: joined(sample, rest) };
}
async function* joined(sample, rest) {
    if (sample !== '')
        yield sample;
    for (;;) {
        const { done, value } = await rest.next();
        if (done)
            return;
        yield value;
    }
}
function iteratorOf(pieces) {
    return Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
}
