/** Turns the number of a cell into the text that a spreadsheet shows, without separators of thousands. */
export type FormatNumber = (value: number) => string;

/** Built-in formats: ECMA-376 part 1, section 18.8.30. */
const builtIn: Record<number, string> = {
  ...{
    1: '0',
    2: '0.00',
    3: '#,##0',
    4: '#,##0.00',
    9: '0%',
    10: '0.00%',
    14: 'yyyy-mm-dd',
    15: 'yyyy-mm-dd',
  },
  ...{ 16: 'yyyy-mm-dd', 17: 'yyyy-mm-dd', 18: 'hh:mm', 19: 'hh:mm', 20: 'hh:mm', 21: 'hh:mm' },
  ...{ 22: 'yyyy-mm-dd hh:mm', 45: 'mm:ss', 46: 'hh:mm', 47: 'mm:ss' },
};

/** Limit of a code in Excel, and of decimals that a number has. */
const codeLengthMax = 255;
const decimalsMax = 20;

/** Returns the formatter of a number format: dates, percentages, and fixed or leading zeros; else the plain number. */
export function createFormat(id: number, code: string | undefined, is1904: boolean): FormatNumber {
  const [positive = ''] = (code ?? builtIn[id] ?? '').slice(0, codeLengthMax).split(';');
  const tokens = positive.replaceAll(/"[^"]*"|\\.|\[[^[\]]*\]|_./g, '');
  if (/[ymdhs]/i.test(tokens) && !/general/i.test(tokens)) {
    const format = { is1904, hasDate: /[yd]/i.test(tokens), hasTime: /[hs]/i.test(tokens) };
    return (value) => toDate(value, format);
  }
  const [, zeros = '', decimals = '', percent = ''] = /^[#,]*(0+)(\.0+)?(%)?$/.exec(tokens.trim()) ?? [];
  if (zeros === '') return toPlain;
  return (value) => {
    const [whole = '', rest] = (percent ? value * 100 : value)
      .toFixed(Math.min(Math.max(0, decimals.length - 1), decimalsMax))
      .split('.');
    return `${whole.padStart(zeros.length, '0')}${rest ? `.${rest}` : ''}${percent}`;
  };
}

/** Excel shows 15 digits. */
export function toPlain(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(15)));
}

const dayMs = 24 * 60 * 60 * 1000;
const daysMax = 2_958_466;

/** Day 1 is 1900-01-01, and Excel counts a 29 February 1900. */
function toDate(
  value: number,
  { is1904, hasDate, hasTime }: { is1904: boolean; hasDate: boolean; hasTime: boolean },
): string {
  const days = is1904 ? value + 1462 : value;
  if (!(days >= 0 && days < daysMax)) return toPlain(value);
  const iso = new Date(Math.round((days - 25_569) * dayMs)).toISOString();
  const [date = '', time = ''] = [iso.slice(0, 10), iso.slice(11, 16)];
  return hasDate && hasTime ? `${date} ${time}` : hasTime ? time : date;
}
