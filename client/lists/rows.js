import { finished } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { ListError } from './list-error.js';
import { unmarked } from './markers.js';
const lineLengthMax = 64 * 1024;
const columnsMax = 500;
/** The rows of a table (RFC 4180), empty ones left out; of a list without a delimiter, its points. Throws ListError. */
export function rowsOf(pieces, delimiter) {
    return delimiter === null ? unmarked(linesOf(pieces)) : tableRows(pieces, delimiter);
}
async function* linesOf(pieces) {
    let line = 1;
    let open = '';
    for await (const piece of boundedLines(pieces)) {
        const parts = (open + piece).split('\n');
        open = parts.pop() ?? '';
        for (const part of parts)
            yield { line: line++, cells: [part.trim()] };
    }
    yield { line, cells: [open.trim()] };
}
async function* tableRows(pieces, delimiter) {
    const rows = [];
    let lastLine = 0;
    const parser = parse({
        delimiter,
        max_record_size: lineLengthMax,
        record_delimiter: '\n',
        relax_column_count: true,
        relax_quotes: true,
        skip_empty_lines: true,
        trim: true,
        on_record: (cells, { lines }) => {
            rows.push({ line: lines, cells });
            return null;
        },
    });
    // What is wrong is thrown below, after the rows before it.
    parser.on('error', () => { }).resume();
    for await (const piece of boundedLines(pieces)) {
        parser.write(piece);
        lastLine = rows.at(-1)?.line ?? lastLine;
        for (const row of rows.splice(0))
            yield notTooWide(row);
        if (parser.errored)
            throw unreadable(parser.errored, lastLine + 1);
    }
    const end = await finished(parser.end()).catch((error) => error);
    lastLine = rows.at(-1)?.line ?? lastLine;
    for (const row of rows)
        yield notTooWide(row);
    if (end)
        throw unreadable(end, lastLine + 1);
}
function notTooWide(row) {
    if (row.cells.length <= columnsMax)
        return row;
    throw new ListError(`Line ${row.line} has more than ${columnsMax} columns.`);
}
/**
 * The text with ends of lines of one kind. What has none is no table, and its cells would all be held at once.
 */
async function* boundedLines(pieces) {
    let line = 1;
    let lengthSoFar = 0;
    let held = '';
    for await (const piece of pieces) {
        // A break of two characters may be halved by the end of a piece.
        const both = held + piece;
        held = both.endsWith('\r') ? '\r' : '';
        const text = both.slice(0, both.length - held.length).replaceAll(/\r\n?/g, '\n');
        let from = 0;
        for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
            refuseLong(lengthSoFar + end - from, line);
            line += 1;
            lengthSoFar = 0;
            from = end + 1;
        }
        lengthSoFar += text.length - from;
        refuseLong(lengthSoFar, line);
        yield text;
    }
}
function refuseLong(length, line) {
    if (length > lineLengthMax)
        throw new ListError(`Line ${line} is longer than 65,536 characters.`);
}
function unreadable(error, line) {
    if (!(error instanceof CsvError))
        return error;
    const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE';
    return new ListError(`Line ${line}: ${isOpen ? 'a quote is not closed.' : 'this row cannot be read.'}`);
}
