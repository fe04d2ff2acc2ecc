import { type Field, rankFields } from '../../../lists/fields.ts';
import type { ChosenColumns, List, ListOptions } from '../../../lists/list.ts';
import type { Form } from '../forms.ts';
import { readChosenCheck } from './checks.ts';

const fields: Field[] = ['address', 'host', ...rankFields];

/** Reads the type of check, the site, and the user's answers to questions about this list. */
export function readAnswers(form: Form, about: string): ListOptions {
  const check = readChosenCheck(form);
  const site = form.text('target');
  const options: ListOptions = {
    ...(check ? { kind: check === 'ranks' ? 'keywords' : 'urls' } : {}),
    ...(site ? { site } : {}),
  };
  const dropped = form.text('change');
  if (form.text('about') !== about || dropped === 'all') return options;
  const answer = (name: string, pattern: RegExp) => {
    const text = dropped === name ? '' : form.text(name);
    return pattern.test(text) ? text : '';
  };
  const table = answer('table', /^\d{1,4}$/);
  const [whole, header] = [answer('whole', /^(?:yes|no)$/), answer('header', /^(?:yes|no)$/)];
  const [encoding, host] = [answer('encoding', /^[\w-]{1,40}$/), answer('host', /./)];
  // Columns of another table do not apply.
  const columns = form.text('table') === form.text('columns_of') ? readColumns(form) : {};
  const isTableChosen =
    table !== '' && (!isDetected(form, 'table', table) || Object.keys(columns).length > 0);
  return {
    ...options,
    columns,
    ...(isTableChosen ? { table: Number(table) } : {}),
    ...(whole ? { isWhole: whole === 'yes' } : {}),
    ...(header ? { hasHeader: header === 'yes' } : {}),
    ...(encoding ? { encoding } : {}),
    ...(host ? { host } : {}),
  };
}

function readColumns(form: Form): ChosenColumns {
  const chosen = fields.flatMap((field) => {
    const text = form.text(columnField(field));
    return /^(?:-1|\d{1,5})$/.test(text) && !isDetected(form, field, text) ? [[field, Number(text)]] : [];
  });
  return Object.fromEntries(chosen);
}

/** Returns whether a field still has its detected value. Another check or an answer may change such a value. */
function isDetected(form: Form, name: string, value: string): boolean {
  return form.text('detected').split(' ').includes(`${name}:${value}`);
}

/** Fields for which the form offers a column even if none was detected. */
const offered: Field[] = ['host', 'url'];

/**
 * Returns the table and columns that were detected and not chosen, for the field `detected`. Column -1 stands for none.
 */
export function toDetected({ table, columns }: List, options: ListOptions): string {
  const used = columns.flatMap(({ field, index }) => (field ? [{ field, index }] : []));
  const unused = offered.filter((field) => !used.some((column) => column.field === field));
  const ofColumns = [...used, ...unused.map((field) => ({ field, index: -1 }))].flatMap(({ field, index }) =>
    options.columns?.[field] === undefined ? [`${field}:${index}`] : [],
  );
  const ofTable = table === null || options.table !== undefined ? [] : [`table:${table}`];
  return [...ofTable, ...ofColumns].join(' ');
}

/** Returns the answers as fields of the form, for its next step. */
export function toAnswerFields(options: ListOptions): Array<[name: string, value: string]> {
  const { table, isWhole, hasHeader, encoding, host, columns = {} } = options;
  const answers: Array<[string, string | number | undefined]> = [
    ['table', table],
    ['columns_of', table],
    ['whole', isWhole === undefined ? undefined : isWhole ? 'yes' : 'no'],
    ['header', hasHeader === undefined ? undefined : hasHeader ? 'yes' : 'no'],
    ['encoding', encoding],
    ['host', host],
    ...fields.map((field) => [columnField(field), columns[field]] as [string, number | undefined]),
  ];
  return answers.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
}

function columnField(field: Field): string {
  return `column_${field}`;
}
