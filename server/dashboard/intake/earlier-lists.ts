import { setImmediate } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { toSite } from '../../../checks/search/target.ts';
import * as batches from '../../../db/batches/batches.ts';
import * as results from '../../../db/batches/results.ts';
import type * as monitors from '../../../db/monitors/monitors.ts';
import * as subjects from '../../../db/monitors/subjects.ts';
import { isMissing } from '../../../lists/cells.ts';
import { rankFields } from '../../../lists/fields.ts';
import {
  type CheckType,
  checkTypes,
  type FailedInputOf,
  type InputOf,
} from '../../../schemas/check-types.ts';
import type { Context } from '../../context.ts';
import { Refusal } from '../refusal.ts';

const rowsPerPage = 200;
/** Maximum length of a monitor's list as JSON. A longer list is not read to be shown. */
const formBytesMax = 4 * 1024 * 1024;

/**
 * Maximum length of a list in a page. A character that HTML escapes counts as 20, because escaping it takes as long as
 * sending 20. The list of a monitor with 10,000 URLs of 200 characters, five of them escaped, fits.
 */
const shownCharactersMax = 3 * 1024 * 1024;
const escapedCost = 20;

/** Returns whether showing a text and a file (base64) would block the event loop for more than 20 ms. */
export function isTooLongToShow(text: string, file: string | null): boolean {
  let length = text.length + (file?.length ?? 0);
  if (length > shownCharactersMax) return true;
  for (const escaped of '&<>"\'')
    for (
      let at = text.indexOf(escaped);
      at >= 0 && length <= shownCharactersMax;
      at = text.indexOf(escaped, at + 1)
    )
      length += escapedCost - 1;
  return length > shownCharactersMax;
}

export function listTooLongToShow(): Refusal {
  const message = 'This list is too long for a form. Use a file or the API, or several lists.';
  return new Refusal(413, message, { title: 'List too long' });
}

type ListContext = Pick<Context, 'db' | 'longQueries'>;

/** Default values, which need no column. */
const defaults: Record<string, unknown> = { start_page: 1, full: false, include: 'features' };

/**
 * Writes the inputs of a batch, including invalid ones, as a list for the form. A filter or search limits the list to
 * matching results. Returns '' if the account has no such batch, or its inputs have been deleted.
 */
export async function writeBatchList(
  context: ListContext,
  ref: batches.BatchRef,
  { show, search }: results.Selection,
  signal: AbortSignal,
): Promise<string> {
  const batch = await batches.find(context.db, ref);
  if (!batch || batch.purgedAt) return '';
  const filter = results.getFilters(batch.type).find((one) => one === show);
  const selection = { ...(filter ? { show: filter } : {}), ...(search ? { search } : {}) };
  const read = () => inputsOf(context, batch, selection);
  const all = await context.longQueries.run(batch.accountId, read, { signal });
  return writeList(batch, all);
}

/**
 * Writes the subjects of a monitor as a list for the form; '' for a form that adds to the list. Also returns the fields
 * of the form for new keywords, with the values of the monitor's keywords, or of its keywords of `site`.
 */
export async function writeMonitorList(
  { db, longQueries }: ListContext,
  monitor: monitors.MonitorRow,
  { site, isAddition }: { site: string; isAddition: boolean },
  signal: AbortSignal,
): Promise<{ text: string; fields: Record<string, string> }> {
  if (!isAddition && (await subjects.measure(db, monitor)).bytes > formBytesMax) throw listTooLongToShow();
  const all = await longQueries.run(monitor.accountId, () => subjects.listCurrent(db, monitor), { signal });
  const inputs = all.map(({ input }) => input);
  const queries = monitor.type === 'keyword' ? (inputs as Array<InputOf<'keyword'>>) : [];
  if (!isAddition)
    return { text: await writeList(monitor, inputs), fields: toFields(queries, '', { isShown: true }) };
  const ofSite = queries.filter(({ target_url: target }) => toSite(target) === site);
  const known = ofSite.length > 0 ? ofSite : queries;
  const fields = toFields(findMostCommonSearches(known), site, { isShown: false });
  const isSiteKnown = new Set(known.map(({ target_url: target }) => toSite(target))).size === 1;
  return {
    text: '',
    fields: isSiteKnown ? fields : { ...fields, target: '', match: '', competitors: '', tag: '' },
  };
}

/** Returns the queries of a site with the same place, language and device of which there are most. */
function findMostCommonSearches(queries: Array<InputOf<'keyword'>>): Array<InputOf<'keyword'>> {
  const groups = Map.groupBy(queries, ({ target_url: target, country, location, language, device }) =>
    JSON.stringify([toSite(target), country, location, language, device]),
  );
  return [...groups.values()].reduce((most, group) => (group.length > most.length ? group : most), []);
}

/**
 * Returns the most common values of queries as fields of the form. If the form shows the queries, a field is empty if a
 * query has no value, because the form's value would also apply to this query. The site is `site` if the queries have
 * several targets.
 */
function toFields(
  queries: Array<InputOf<'keyword'>>,
  site: string,
  { isShown }: { isShown: boolean },
): Record<string, string> {
  const common = (read: (query: InputOf<'keyword'>) => string | number | undefined | null) => {
    const counts = new Map<string, number>();
    for (const value of queries.map((query) => String(read(query) ?? '')))
      counts.set(value, (counts.get(value) ?? 0) + 1);
    return counts.has('') && isShown ? '' : ([...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '');
  };
  const sites = new Set(queries.map((query) => query.target_url));
  const tags = new Set(queries.map((query) => query.tag));
  return {
    target: sites.size === 1 ? common((query) => query.target_url) : site,
    match: sites.size === 1 ? common((query) => query.match) : '',
    country: common((query) => query.country),
    location: common((query) => query.location),
    language: common((query) => query.language),
    device: common((query) => query.device),
    pages: common((query) => query.end_page),
    full: common((query) => (query.full ? 'yes' : '')),
    overview: common((query) => query.include && (query.include.includes('ai_overview') ? 'yes' : 'no')),
    competitors: common((query) => query.competitor_urls?.join('\n')),
    tag: tags.size === 1 ? common((query) => query.tag) : '',
  };
}

async function writeList(
  { type }: { type: CheckType },
  all: Array<FailedInputOf | InputOf>,
): Promise<string> {
  if (checkTypes[type].urlPath) return all.map((input) => (input as FailedInputOf<'http'>).url).join('\n');
  return tableOf(all as Array<FailedInputOf<'keyword'>>);
}

async function inputsOf(
  { db }: Pick<Context, 'db'>,
  batch: batches.BatchRow,
  selection: results.Selection,
): Promise<Array<FailedInputOf | InputOf>> {
  const all: results.InputRow[] = [];
  for (let page: results.InputRow[] | null = null; !page || page.length === rowsPerPage; ) {
    const window = { ...selection, afterPosition: all.at(-1)?.position ?? -1, limit: rowsPerPage };
    page = await results.listInputsAfter(db, batch, window);
    all.push(...page);
  }
  return all.map(({ input }) => input);
}

/**
 * Writes queries as CSV, with the columns that at least one query uses. Yields to other work between pages of rows,
 * because 10,000 rows take 50 ms.
 */
export async function tableOf(queries: Array<FailedInputOf<'keyword'>>): Promise<string> {
  const rows = queries.map(({ target_url: url, competitor_urls: competitors, include, ...query }) => ({
    ...query,
    url,
    keyword: query.keyword && toKeywordCell(query.keyword),
    ...(competitors?.length ? { competitors: competitors.join(' ') } : {}),
    ...(include ? { include: include.join(' ') } : {}),
  }));
  const columns = rankFields.filter((field) =>
    rows.some((row) => {
      const value = (row as Record<string, unknown>)[field] ?? null;
      return value !== null && value !== defaults[field];
    }),
  );
  let text = stringify([columns]);
  for (let first = 0; first < rows.length; first += rowsPerPage) {
    text += stringify(rows.slice(first, first + rowsPerPage), { columns, cast: { boolean: String } });
    await setImmediate();
  }
  return text.trimEnd();
}

/**
 * Puts a keyword into brackets or quotes if the form would otherwise read it as a comment, a missing value or a match
 * type of Google Ads. The form removes them.
 */
function toKeywordCell(keyword: string): string {
  if (!/^(?:#|\(.*\)$|\[.*\]$|".*"$)/.test(keyword) && !isMissing(keyword)) return keyword;
  return /[[\]]/.test(keyword) ? `"${keyword}"` : `[${keyword}]`;
}
