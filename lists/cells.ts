import { isPath, looksLikeUrl, trimInvisible } from './address.ts';

/** Trims a cell. Returns only the URL of a link formula, which some programs write as text. */
export function toCellText(text: string): string {
  const cell = trimInvisible(text);
  return cell.startsWith('=') ? (readLinkFormula(cell.slice(1)) ?? cell) : cell;
}

/**
 * Returns the URL of a formula such as `HYPERLINK("https://a.example/","A")`; null for another formula. Reads only a
 * complete URL, which no `&` continues. The delimiter of a table may end the formula after the URL.
 */
export function readLinkFormula(formula: string): string | null {
  return /^HYPERLINK\(\s*"(https?:\/\/[^"]+)"\s*(?:[,;)]|$)/i.exec(formula)?.[1] ?? null;
}

/** Returns the URL of a text that begins with a Markdown link, such as `[A](https://a.example/)`; else null. */
export function readMarkdownLink(text: string): string | null {
  return /^\[[^\]]*\]\((https?:\/\/(?:[^\s()]|\([^\s()]*\))+)[\s)]/i.exec(text)?.[1] ?? null;
}

/** Returns the URL of a cell of a Markdown table that begins with a link, or the text of a cell without emphasis. */
export function toMarkdownText(cell: string): string {
  const [, , emphasized = cell] = /^(\*{1,3}|_{1,3}|`)(?=\S)(.+)(?<=\S)\1$/.exec(cell) ?? [];
  return readMarkdownLink(emphasized) ?? emphasized;
}

export function isData(cell: string): boolean {
  return isUrlOrPath(cell) || isNumber(cell);
}

export function isUrlOrPath(cell: string): boolean {
  return looksLikeUrl(cell) || isPath(cell);
}

/** Reads the first line of a request, such as `GET /a HTTP/1.1`, which logs have in a column; null for another text. */
export function readRequestLine(cell: string): { method: string; target: string } | null {
  const [, method, target] = /^([A-Z]{3,10}) (\S+) HTTP\/\d(?:\.\d)?$/.exec(cell) ?? [];
  return method && target ? { method, target } : null;
}

export function isRequestLine(cell: string): boolean {
  return readRequestLine(cell) !== null;
}

/** Returns whether a request gets a page. Clients also send targets that are not addresses. */
export function isPageRequest(method = '', target = ''): boolean {
  return /^(?:GET|HEAD)$/.test(method) && /^(?:\/|https?:\/\/)/i.test(target);
}

/** Limits the time for the pattern below, because many cells of a workbook can share a long text. */
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
