import { isLikeAddress, isSurelyAddress, lacksScheme, withScheme } from './address.js';
import { kindOf, layoutOf } from './columns.js';
import { dialectOf } from './dialect.js';
import { entriesOf } from './entries.js';
import { ListError } from './list-error.js';
import { withoutMarker } from './markers.js';
import { sampled } from './pieces.js';
import { rowsOf } from './rows.js';
export const listEntriesMax = 100_000;
/** Reads whatever was brought: a list with an entry per line, or a table. Throws ListError when it is neither. */
export async function readList(source, choice = {}) {
    const { sample, isWhole, pieces } = await sampled(source);
    const dialect = await dialectOf(sample, isWhole);
    const question = endQuestion(dialect, sample, choice);
    const lines = { ...dialect, delimiter: null, headerAt: -1, rows: [] };
    const read = question || choice.isWhole ? lines : dialect;
    const layout = read.delimiter === null ? null : layoutOf(read, choice.kind ?? kindOf(read), choice.columns);
    const kind = choice.kind ?? (layout ? kindOf(read) : kindOfLines(sample));
    const list = {
        kind,
        entries: [],
        columns: layout?.columns ?? [],
        question: question ?? columnQuestion(layout),
        ...{ comments: 0, blank: 0, withoutScheme: 0, addressLike: 0 },
    };
    await addEntries(list, pieces, read, layout, choice);
    return list;
}
async function addEntries(list, pieces, { delimiter, headerAt }, layout, { addsScheme = false, entriesMax = listEntriesMax }) {
    let at = 0;
    for await (const row of rowsOf(pieces, delimiter)) {
        if (at++ <= headerAt)
            continue;
        for (const entry of entriesOf(row, list, layout?.fields ?? null)) {
            if (list.kind === 'urls' && lacksScheme(entry.text))
                list.withoutScheme += 1;
            if (list.kind === 'keywords' && isSurelyAddress(entry.text))
                list.addressLike += 1;
            list.entries.push(addsScheme && list.kind === 'urls' ? { ...entry, text: withScheme(entry.text) } : entry);
            if (list.entries.length > entriesMax)
                throw tooMany(entriesMax);
        }
    }
}
/** Without a header or a quote, a comma may be part of the address before it. */
function endQuestion(dialect, sample, { isWhole }) {
    const { delimiter, headerAt, rows } = dialect;
    if (isWhole !== undefined || headerAt >= 0 || (delimiter !== ',' && delimiter !== ';'))
        return null;
    const cell = rows[0]?.cells[0] ?? '';
    if (!isLikeAddress(cell) || sample.includes('"'))
        return null;
    return { about: 'whole', cell, line: sample.trimStart().split(/\r\n|\r|\n/, 1)[0] ?? '' };
}
function columnQuestion(layout) {
    if (!layout?.unsure)
        return null;
    const { field, columns } = layout.unsure;
    return { about: 'column', field, columns: layout.columns.filter(({ index }) => columns.includes(index)) };
}
function kindOfLines(sample) {
    const lines = sample
        .split(/\r\n|\r|\n/)
        .flatMap((line) => withoutMarker(line.trim()).replaceAll(/["'<>]/g, '') || []);
    const alike = lines.filter((line) => isLikeAddress(line.split(/[\s,;]/, 1)[0] ?? '') || line.startsWith('#'));
    return lines.length > 0 && alike.length * 2 >= lines.length ? 'urls' : 'keywords';
}
function tooMany(entriesMax) {
    const most = entriesMax.toLocaleString('en');
    return new ListError(`There are more than ${most} lines. Take some out: ${most} are taken at once.`);
}
