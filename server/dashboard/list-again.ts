import { stringify } from 'csv-stringify/sync';
import * as batches from '../../db/batches.ts';
import type { Db } from '../../db/connect.ts';
import * as results from '../../db/results.ts';
import { type AskedOf, checkTypes } from '../../schemas/check-types.ts';

/** The columns of a list of queries, by the fields of one. */
const columns = {
  keyword: 'keyword',
  target_url: 'url',
  country: 'country',
  language: 'language',
  device: 'device',
  match: 'match',
  start_page: 'start_page',
  end_page: 'end_page',
  tag: 'tag',
  competitors: 'competitors',
  full: 'full',
};

/**
 * The list that a batch was made of, as one writes it into the box, entries that did not fit included; where a
 * selection says so, only those that have some results. Empty when the account has no such batch, or its
 * inputs are no longer kept.
 */
export async function listOf(
  db: Db,
  ref: batches.BatchRef,
  { show, search }: results.Selection,
): Promise<string> {
  const batch = await batches.find(db, ref);
  if (!batch || batch.purgedAt) return '';
  const filter = results.filtersOf(batch.type).find((one) => one === show);
  const selection = { ...(filter ? { show: filter } : {}), ...(search ? { search } : {}) };
  const rows = await results.after(db, batch, { ...selection, afterPosition: -1, limit: batch.total });
  if (checkTypes[batch.type].urlPath)
    return rows.map(({ input }) => (input as AskedOf<'http'>).url).join('\n');
  return tableOf(rows.map(({ input }) => input as AskedOf<'keyword'>));
}

/** A column for whatever any query has. */
function tableOf(queries: Array<AskedOf<'keyword'>>): string {
  const rows = queries.map(({ competitor_urls: competitors, ...query }) => ({
    ...query,
    ...(competitors?.length ? { competitors: competitors.join(' ') } : {}),
  }));
  const used = Object.entries(columns).filter(([field]) =>
    rows.some((row) => (row as Record<string, unknown>)[field] != null),
  );
  return stringify(rows, {
    columns: Object.fromEntries(used),
    header: true,
    cast: { boolean: String },
  }).trimEnd();
}
