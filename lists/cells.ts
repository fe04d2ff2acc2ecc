import { isPath, looksLikeUrl } from './address.ts';

export function isData(cell: string): boolean {
  return isUrlOrPath(cell) || isNumber(cell);
}

export function isUrlOrPath(cell: string): boolean {
  return looksLikeUrl(cell) || isPath(cell);
}

/** Many cells of a workbook can share a long text. */
const numberLengthMax = 30;

/** Returns whether a cell is a number, an amount, a range of numbers, a date or a time. */
export function isNumber(cell: string): boolean {
  if (cell.length > numberLengthMax) return false;
  return /^[-+<>~$€£]?\s?\d[\d.,:\s/–-]*(?:[%KM€$£]|[A-Z]{3})?$/.test(cell);
}

/** Returns whether tools write the cell for a missing value. MySQL writes \N. */
export function isMissing(cell: string): boolean {
  return cell === '' || /^(?:-{1,20}|–|n\/a|\\N)$/i.test(cell);
}

/** Returns whether a cell is a text that may name a column. */
export function isWord(cell: string): boolean {
  return !isMissing(cell) && !isData(cell);
}
