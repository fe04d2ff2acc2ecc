import { isLikeAddress, isSurelyAddress } from './address.js';
import { isMainName, isName } from './fields.js';
import { ListError } from './list-error.js';
import { rowsOf } from './rows.js';
const delimiters = ['\t', ';', ',', '|'];
const rowsJudged = 200;
// Some exports say above the header what they are of.
const headerRowsMax = 6;
const likenessMin = 0.8;
/** Finds what separates columns by what it makes of the first rows. */
export async function dialectOf(sample, isWhole) {
    const text = isWhole ? sample : sample.slice(0, sample.lastIndexOf('\n') + 1) || sample;
    const tables = [];
    for (const delimiter of delimiters) {
        if (text.includes(delimiter))
            tables.push(await readAs(delimiter, text));
    }
    const named = tables.filter(({ rows, headerAt }) => (rows[headerAt]?.cells.length ?? 0) > 1);
    const best = widest(named.filter(({ rows, headerAt }) => rows[headerAt]?.cells.some(isMainName)));
    if (best)
        return best;
    const list = await readAs(null, text);
    if (list.headerAt === 0)
        return list;
    return widest(tables.filter(isTable)) ?? list;
}
async function readAs(delimiter, text) {
    const rows = await firstRows(text, delimiter);
    return { delimiter, rows, headerAt: headerOf(rows, delimiter) };
}
async function firstRows(text, delimiter) {
    const rows = [];
    try {
        for await (const row of rowsOf([text], delimiter)) {
            if (rows.push(row) === rowsJudged)
                break;
        }
    }
    catch (error) {
        // What is cut off or out of place further down is told when it is read.
        if (!(error instanceof ListError))
            throw error;
    }
    return rows;
}
/** Known by a name in it, or by what it is not: figures and addresses stand below, and words above. */
function headerOf(rows, delimiter) {
    const [first, ...below] = rows;
    if (!first)
        return -1;
    if (delimiter === null)
        return first.cells.some(isMainName) ? 0 : -1;
    const named = rows.slice(0, headerRowsMax).findIndex(({ cells }) => isNamed(cells));
    if (named >= 0)
        return named;
    const isUnlike = (cell, column) => {
        const others = below.map(({ cells }) => cells[column] ?? '').filter((other) => other !== '');
        return cell !== '' && !isTelling(cell) && others.length > 0 && others.every(isTelling);
    };
    return first.cells.some(isUnlike) ? 0 : -1;
}
function isNamed(cells) {
    return cells.some((cell) => isName(cell)) && !cells.some((cell) => isTelling(cell));
}
function isTelling(cell) {
    return isLikeAddress(cell) || /^[-+]?[\d.,\s]+%?$/.test(cell);
}
/** Columns of one kind side by side are a list that somebody wrote in lines; commas are in sentences, too. */
function isTable({ delimiter, rows, headerAt }) {
    const width = usualWidth(rows);
    const alike = rows.filter(({ cells }) => cells.length === width);
    if (width < 2 || alike.length < rows.length * likenessMin)
        return false;
    if (rows.length === 1 && alike[0]?.cells.slice(1).some(isSurelyAddress))
        return false;
    const cells = alike.filter((_, at) => at !== headerAt).map((row) => row.cells);
    if (cells.every((row) => row.every((cell) => cell === '' || isLikeAddress(cell))))
        return headerAt >= 0;
    return delimiter !== ',' || cells.some((row) => row.some(isTelling));
}
function usualWidth(rows) {
    const counts = new Map();
    for (const { cells } of rows)
        counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
    return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
}
function widest(tables) {
    return tables.toSorted((a, b) => usualWidth(b.rows) - usualWidth(a.rows))[0] ?? null;
}
