/** A line of a list as its only cell, and its number. */
interface Line {
  line: number;
  cells: string[];
}

const bullet = /^[•‣◦▪●·*–—-]\s+/;
const number = /^\d{1,6}[.)]\s+/;

/** A line of a list without what may stand before its points; for judging what it is, not for asking it. */
export function withoutMarker(line: string): string {
  return line.replace(number, '').replace(bullet, '');
}

/**
 * The lines of a list without bullets, and without numbers where they count up from the first line on: there are
 * keywords that begin with one. Empty lines are left out.
 */
export async function* unmarked(rows: AsyncIterable<Line>): AsyncGenerator<Line> {
  let expected = 1;
  // A first number says nothing before a second one follows.
  let first: Line | null = null;
  for await (const row of rows) {
    const text = row.cells[0] ?? '';
    if (text === '') continue;
    const isNumbered = number.test(text) && Number.parseInt(text, 10) === expected;
    if (first) yield isNumbered ? bareOf(first, number) : bareOf(first);
    first = isNumbered && expected === 1 ? row : null;
    if (isNumbered) expected += 1;
    if (!first) yield isNumbered ? bareOf(row, number) : bareOf(row);
  }
  if (first) yield bareOf(first);
}

function bareOf({ line, cells: [text = ''] }: Line, marker = bullet): Line {
  return { line, cells: [text.replace(marker, '')] };
}
