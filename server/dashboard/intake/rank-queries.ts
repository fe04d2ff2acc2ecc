import type { RankField } from '../../../lists/fields.ts';
import type { ListEntry } from '../../../lists/list.ts';
import { readValue } from '../../../lists/values.ts';
import type { Form } from '../forms.ts';

/** Turns rows into rank queries. The form's values apply to rows that do not set their own. */
export function toRankQueries(
  entries: readonly ListEntry[],
  form: Form | undefined,
  anyTarget?: string,
): object[] {
  const common = commonOf(form);
  const target = form?.text('target') || anyTarget;
  return entries.map((entry) => {
    const { text, rank } = entry;
    const { device, country, location, ...others } = common;
    // A location determines its country.
    const place = findGiven('country', entry) ? {} : location ? { location } : { country };
    return {
      url: target,
      ...place,
      ...others,
      ...(findGiven('device', entry) ? {} : { device }),
      ...rank,
      keyword: text,
    };
  });
}

/** True if a row names no site to find, and the form names none either. */
export function isTargetMissing(entries: readonly ListEntry[], form: Form): boolean {
  return !form.text('target') && entries.some(({ rank }) => !rank.url);
}

/** Columns by field of the form. A keyword with a value in one of the columns does not use the field. */
export const columnsOfFields = {
  country: ['country', 'location'],
  location: ['location', 'country'],
  language: ['language'],
  device: ['device', 'brd_mobile'],
  match: ['match'],
  tag: ['tag'],
  competitors: ['competitors'],
  pages: ['end_page'],
  full: ['full'],
  overview: ['include'],
} as const satisfies Record<string, RankField[]>;
type CommonField = keyof typeof columnsOfFields;

function findGiven(field: CommonField, { rank }: ListEntry): RankField | undefined {
  return columnsOfFields[field].find((column) => column in rank);
}

/** If the user has changed a field that no row uses, returns the column that has a value of its own in each row. */
export function findUnusedColumn(entries: readonly ListEntry[], form: Form): RankField | undefined {
  const read = (name: string) => form.text(name).replaceAll(/\s+/g, ' ');
  const unused = (Object.keys(columnsOfFields) as CommonField[]).find(
    (name) => read(name) !== read(`shown_${name}`) && entries.every((entry) => findGiven(name, entry)),
  );
  return unused && entries[0] && findGiven(unused, entries[0]);
}

function commonOf(form: Form | undefined): Record<string, unknown> {
  const said = (name: string) => form?.text(name) ?? '';
  const [match, tag, competitors] = [said('match'), said('tag'), said('competitors')];
  return {
    country: (said('country') || 'US').toUpperCase(),
    location: said('location'),
    language: said('language') || 'en',
    device: said('device') || 'desktop',
    end_page: Number(said('pages')) || 10,
    ...(said('full') === 'yes' ? { full: true } : {}),
    // Features cost nothing.
    include: said('overview') === 'yes' ? ['features', 'ai_overview'] : ['features'],
    ...(match ? { match } : {}),
    ...(tag ? { tag } : {}),
    ...(competitors ? readValue('competitors', competitors) : {}),
  };
}
