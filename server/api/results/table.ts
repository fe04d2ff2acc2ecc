import type { BatchRow } from '../../../db/batches/batches.ts';
import { type CheckType, checkTypes } from '../../../schemas/check-types.ts';
import { getCompetitorRank } from '../../../schemas/competitor-rank.ts';
import type { AiOverview } from '../../../schemas/features.ts';
import type { Include } from '../include.ts';
import type { ResultBody } from './stream.ts';

export interface Table {
  columns: string[];
  toCells(body: ResultBody): Record<string, unknown>;
}

export function createTable(
  { type, reference }: Pick<BatchRow, 'type' | 'reference'>,
  include?: Include,
): Table {
  return {
    columns: listColumns(type, include),
    toCells: (body) => ({
      ...body,
      ...joinLists(body),
      ...overviewCells(body.ai_overview as AiOverview | undefined),
      reference: body.reference ?? reference,
    }),
  };
}

const always = ['error', 'message', 'credits', 'request_id', 'checked_at', 'reference'];

/** Returns the fields of the type's input and answer, followed by the fields of every result. */
function listColumns(type: CheckType, include?: Include): string[] {
  const { input, answer } = checkTypes[type];
  const hidden = [
    ...always,
    ...(include?.evidence ? [] : ['asked']),
    ...(include?.results ? [] : ['results']),
    'features_visible',
  ];
  const answered = Object.keys(answer.properties)
    .filter((name) => !hidden.includes(name))
    .flatMap((name) => (name === 'ai_overview' ? ['ai_overview', 'ai_cited'] : [name]));
  return [...Object.keys(input.properties), 'state', ...answered, ...always];
}

function overviewCells(overview: AiOverview | undefined): Record<string, unknown> {
  return { ai_overview: overview?.state, ai_cited: overview?.cited };
}

/** Joins each list into the text of one cell. */
function joinLists(body: ResultBody): Record<string, string> {
  const cells = Object.entries(inOneCell).map(([name, [toText, separator]]) => {
    const list = (body[name] ?? []) as Entry[];
    return [name, list.map((entry) => toText(entry, body)).join(separator)];
  });
  return Object.fromEntries(cells);
}

// biome-ignore lint/suspicious/noExplicitAny: each cell knows the entries of its own list
type Entry = any;

const inOneCell: Record<string, [toText: (entry: Entry, body: Entry) => string, separator: string]> = {
  redirects: [({ url, status }) => `${status} ${url}`, ' -> '],
  soft404_reasons: [String, '; '],
  competitor_urls: [String, '; '],
  include: [String, '; '],
  competitors: [(one, body) => `${one.url} ${getCompetitorRank(one, body, body)}`, '; '],
  features: [({ type }) => type, ' '],
  asked: [({ query, provider, results }) => `${query} (${provider}: ${results})`, '; '],
  results: [({ position, url }) => `${position} ${url}`, '; '],
};
