import { removeSameSubjects } from '../../db/monitors/subjects.ts';
import { isTimeZone } from '../../monitors/wall-clock.ts';
import type { CheckType, InputOf } from '../../schemas/check-types.ts';
import { MonitorPatch, MonitorRequest } from '../../schemas/monitor.ts';
import { type Notify, type Schedule, subjectsMax as subjectsMaxOfAll } from '../../schemas/monitor-types.ts';
import type { Context } from '../context.ts';
import { FieldErrorCollector } from '../http/errors.ts';
import { createValidator } from '../http/validate.ts';
import { readQueries } from './queries.ts';
import { readTarget, readTargets } from './targets.ts';

const lists = { lists: ['urls', 'queries'], max: subjectsMaxOfAll };
const readRequest = createValidator(MonitorRequest, lists);
const readChange = createValidator(MonitorPatch, lists);

type Readers = Pick<Context, 'policy' | 'search' | 'config'>;
type SourceFields = Pick<Partial<MonitorRequest>, 'urls' | 'queries' | 'locations' | 'sitemap_url'>;

export interface ParsedList {
  /** Inputs in order, without duplicates. Null if the request has a sitemap or no list. */
  inputs: InputOf[] | null;
  sitemapUrl: string | null;
  duplicates: number;
}

/** Reads the request for a new monitor. Throws a 422 that lists up to 50 invalid fields. */
export async function readMonitor(context: Readers, body: unknown) {
  const faults = new FieldErrorCollector();
  const fields = readRequest.collect(body, faults);
  const type = fields.type ?? 'http';
  const list = await readSource(context, type, fields, faults);
  if (listSources(fields).length === 0)
    faults.add({ urls: ['Send exactly one of urls, queries and sitemap_url.'] });
  const schedule = readSchedule(fields.schedule ?? { every: 'day' }, faults);
  const notify = readNotify(context, fields.notify ?? {}, faults);
  refuseStop(type, fields.stop_when ?? null, faults);
  refuseTooMany(list, fields.subjects_max, faults);
  faults.throwIfAny();
  return { fields, type, list, schedule, notify };
}

/** Reads the changes to a monitor of this type. Throws a 422 that lists up to 50 invalid fields. */
export async function readMonitorChange(context: Readers, type: CheckType, body: unknown) {
  const faults = new FieldErrorCollector();
  const fields = readChange.collect(body, faults);
  const given = (body as { type?: unknown }).type;
  if (given !== undefined && given !== type)
    faults.add({ type: ['Cannot be changed. Create another monitor instead.'] });
  const list = await readSource(context, type, fields, faults);
  const schedule = fields.schedule === undefined ? undefined : readSchedule(fields.schedule, faults);
  const notify = fields.notify === undefined ? undefined : readNotify(context, fields.notify ?? {}, faults);
  refuseStop(type, fields.stop_when ?? null, faults);
  refuseTooMany(list, fields.subjects_max, faults);
  faults.throwIfAny();
  return { fields, list, schedule, notify };
}

function listSources(fields: SourceFields): string[] {
  return (['urls', 'queries', 'sitemap_url'] as const).filter((name) => fields[name] !== undefined);
}

async function readSource(
  context: Readers,
  type: CheckType,
  fields: SourceFields,
  faults: FieldErrorCollector,
): Promise<ParsedList> {
  const { urls, queries, locations, sitemap_url: sitemap } = fields;
  const named = listSources(fields);
  if (named.length > 1)
    faults.add({ [named[1] ?? '']: ['Send exactly one of urls, queries and sitemap_url.'] });
  if (type === 'keyword' && (urls || sitemap))
    faults.add({ [urls ? 'urls' : 'sitemap_url']: ['Keyword monitors need queries.'] });
  if (type !== 'keyword' && queries)
    faults.add({ queries: ['Only keyword monitors accept queries. Send urls or sitemap_url.'] });
  if (locations && !queries)
    faults.add({ locations: ['Requires queries. Send queries too, or remove locations.'] });
  const options = { dedupe: true, onInvalid: 'reject' as const };
  if (sitemap !== undefined) {
    const target = readTarget('sitemap_url', sitemap, context.policy, faults);
    return { inputs: null, sitemapUrl: target?.asSent.trim() ?? null, duplicates: 0 };
  }
  if (urls) {
    const read = await readTargets(urls, { ...options, policy: context.policy }, faults);
    return toParsedList(
      read.valid.map(({ input }) => ({ url: input.url.trim() })),
      urls.length,
    );
  }
  if (!queries) return { inputs: null, sitemapUrl: null, duplicates: 0 };
  const { fullPagesMax } = context.config.providers;
  const bounds = { search: context.search, fullPagesMax, findsCompetitors: true };
  if (!locations) {
    const { valid } = await readQueries(queries, { ...options, ...bounds }, faults);
    return toParsedList(
      valid.map(({ input }) => input),
      queries.length,
    );
  }
  const own = queries.findIndex((query) => query?.location !== undefined);
  if (own >= 0)
    faults.add({ [`queries.${own}.location`]: ['Contradicts locations. Send only one of them.'] });
  const subjects = queries.length * locations.length;
  if (subjects > subjectsMaxOfAll)
    faults.add({
      locations: [
        `${queries.length} queries in ${locations.length} locations are ${subjects.toLocaleString('en')} entries. The limit is 10,000. Remove queries or locations.`,
      ],
    });
  if (own >= 0 || subjects > subjectsMaxOfAll) return { inputs: null, sitemapUrl: null, duplicates: 0 };
  const byLocation: InputOf<'keyword'>[][] = [];
  for (const [index, text] of locations.entries()) {
    const location = { text, field: `locations.${index}` };
    const read = await readQueries(queries, { ...options, dedupe: false, ...bounds, location }, faults);
    byLocation.push(read.valid.map(({ input }) => input));
  }
  // The first query with all locations, then the second query with all locations, and so on.
  const all = queries.flatMap((_, index) => byLocation.flatMap((inputs) => inputs[index] ?? []));
  return toParsedList(all, subjects);
}

async function toParsedList(all: InputOf[], sent: number): Promise<ParsedList> {
  const inputs = await removeSameSubjects(all);
  return { inputs, sitemapUrl: null, duplicates: sent - inputs.length };
}

function readNotify(
  { policy }: Readers,
  { when = 'changed', webhook_url: webhook = null, email = true }: NonNullable<MonitorRequest['notify']>,
  faults: FieldErrorCollector,
): Notify {
  const target = webhook === null ? null : readTarget('notify.webhook_url', webhook, policy, faults);
  return { when, webhook_url: target?.asSent ?? null, email };
}

function refuseStop(type: CheckType, stopWhen: string | null, faults: FieldErrorCollector): void {
  if (stopWhen !== null && type !== 'index')
    faults.add({ stop_when: ['Only index monitors can stop when indexed.'] });
}

function refuseTooMany({ inputs }: ParsedList, max: number | undefined, faults: FieldErrorCollector): void {
  if (inputs && max !== undefined && inputs.length > max) {
    faults.add({
      subjects_max: [
        `The list has ${inputs.length.toLocaleString('en')} entries. Set subjects_max to that number or more, or remove entries.`,
      ],
    });
  }
}

export const unknownTimeZone =
  'This time zone does not exist. Use a name such as Europe/Berlin or UTC, not an offset.';

/** Reads a schedule and sets defaults. Adds the errors of contradicting fields to `faults`. */
function readSchedule(
  { every, at = null, on = null, timezone = 'UTC' }: MonitorRequest['schedule'],
  faults: FieldErrorCollector,
): Schedule {
  const isNamed = (on ?? []).some((day) => typeof day === 'string');
  const isNumbered = (on ?? []).some((day) => typeof day === 'number');
  if (on && (every === 'hour' || every === 'day')) {
    faults.add({
      'schedule.on': ['Only used if `every` is `week` or `month`. Remove it, or change `every`.'],
    });
  } else if (every === 'week' && isNumbered) {
    faults.add({
      'schedule.on': ['If `every` is `week`, use `mon`, `tue`, `wed`, `thu`, `fri`, `sat` or `sun`.'],
    });
  } else if ((every === 'month' && isNamed) || on?.includes(0)) {
    faults.add({
      'schedule.on': ['If `every` is `month`, use numbers from 1 to 31, or -1 for the last day.'],
    });
  }
  if (!isTimeZone(timezone)) {
    faults.add({ 'schedule.timezone': [unknownTimeZone] });
  }
  const days = on ?? (every === 'week' ? ['mon'] : every === 'month' ? [1] : null);
  return { every, at, on: days && ([...new Set(days)] as Schedule['on']), timezone };
}
