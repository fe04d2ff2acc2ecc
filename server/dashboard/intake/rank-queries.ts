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
  return entries.map(({ text, rank }) => {
    const { device, country, location, ...others } = common;
    const isDeviceGiven = 'device' in rank || 'brd_mobile' in rank;
    const isPlaceGiven = 'country' in rank || 'location' in rank;
    // A location determines its country.
    const place = isPlaceGiven ? {} : location ? { location } : { country };
    return { url: target, ...place, ...others, ...(isDeviceGiven ? {} : { device }), ...rank, keyword: text };
  });
}

/** True if a row names no site to find, and the form names none either. */
export function isTargetMissing(entries: readonly ListEntry[], form: Form): boolean {
  return !form.text('target') && entries.some(({ rank }) => !rank.url);
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
