/** A line of a list as a single cell. */
interface Line {
  line: number;
  cells: string[];
}

const bullet = /^[•‣◦▪●·*–—-]\s+/;
const number = /^\d{1,6}[.)]\s+/;
/** A bullet or a number at the beginning of a line. */
export const marker = new RegExp(`${bullet.source}|${number.source}`);

/**
 * Yields lines without bullets. Removes numbers only if they count up from the first line, because keywords may begin
 * with a number. Skips empty lines.
 */
export async function* stripMarkers(rows: AsyncIterable<Line>): AsyncGenerator<Line> {
  let expected = 1;
  // Number 1 is removed only if number 2 follows.
  let first: Line | null = null;
  for await (const row of rows) {
    const text = row.cells[0] ?? '';
    if (text === '') continue;
    const isNumbered = number.test(text) && Number.parseInt(text, 10) === expected;
    if (first) yield isNumbered ? strip(first, number) : strip(first);
    first = isNumbered && expected === 1 ? row : null;
    if (isNumbered) expected += 1;
    if (!first) yield isNumbered ? strip(row, number) : strip(row);
  }
  if (first) yield strip(first);
}

function strip({ line, cells: [text = ''] }: Line, marker = bullet): Line {
  return { line, cells: [text.replace(marker, '')] };
}
