import { TextDecoder } from 'node:util';
const heldMax = 64 * 1024;
/** The text of a file, in the encoding its first bytes tell; UTF-8 unless it is none, then Windows-1252. */
export async function* decoded(bytes) {
    let decoder = null;
    for await (const piece of inLines(bytes)) {
        decoder ??= new TextDecoder(encodingOf(piece), { fatal: true });
        const text = decode(decoder, piece);
        if (text === null)
            decoder = new TextDecoder('windows-1252');
        yield text ?? decoder.decode(piece, { stream: true });
    }
}
/** Pieces that end with a line, so that no character of UTF-8 is halved where it turns out to be something else. */
async function* inLines(bytes) {
    let held = new Uint8Array();
    for await (const piece of bytes) {
        const both = held.length > 0 ? Buffer.concat([held, piece]) : piece;
        const end = both.lastIndexOf(0x0a) + 1;
        const cut = end > 0 || both.length < heldMax ? end : both.length;
        if (cut > 0)
            yield both.subarray(0, cut);
        held = both.subarray(cut);
    }
    if (held.length > 0)
        yield held;
}
function decode(decoder, piece) {
    try {
        return decoder.decode(piece, { stream: true });
    }
    catch {
        return null;
    }
}
/** Spreadsheets write UTF-16 with a mark and without; in it, every other byte of an address is zero. */
function encodingOf([first, second, third, fourth]) {
    if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0 && fourth === 0))
        return 'utf-16le';
    if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && third === 0))
        return 'utf-16be';
    return 'utf-8';
}
