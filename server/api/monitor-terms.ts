import type { MonitorSettings } from '../../db/monitors/monitors.ts';
import { defaultSubjectsMax } from '../../monitors/monitor.ts';
import { type CheckType, getDefaultOptions, type InputOf } from '../../schemas/check-types.ts';
import type { MonitorPatch } from '../../schemas/monitor.ts';
import { type Notify, type Schedule, subjectsMax as subjectsMaxOfAll } from '../../schemas/monitor-types.ts';
import type { ParsedList } from './read-monitor.ts';

type Chosen = 'name' | 'stop_when' | 'rank_threshold' | 'confirm_losses' | 'subjects_max' | 'reference';

interface MonitorInput {
  /** Valid fields of the request. */
  fields: Pick<Partial<MonitorPatch>, Chosen>;
  list: ParsedList;
  schedule: Schedule | undefined;
  notify: Notify | undefined;
}

const defaults = {
  name: '',
  sitemapUrl: null,
  stopWhen: null,
  rankThreshold: 3,
  confirmLosses: true,
  subjectsMax: subjectsMaxOfAll,
  reference: null,
};

/**
 * Applies a request to the settings of a monitor. A missing field keeps its value. Null sets the default. If there is a
 * new list, a missing `subjects_max` gets the default for this list. `inputs` is the new list; null if the list does
 * not change.
 */
export function mergeTerms(
  { fields, list, schedule, notify }: MonitorInput,
  inputs: InputOf[] | null,
  known: MonitorSettings,
): MonitorSettings {
  const bound = inputs ? defaultSubjectsMax(list.sitemapUrl, inputs.length) : known.subjectsMax;
  return {
    name: fields.name?.trim() ?? known.name,
    sitemapUrl: inputs ? list.sitemapUrl : known.sitemapUrl,
    schedule: schedule ?? known.schedule,
    notify: notify ?? known.notify,
    options: known.options,
    stopWhen: fields.stop_when === undefined ? known.stopWhen : fields.stop_when,
    rankThreshold: orDefault(fields.rank_threshold, defaults.rankThreshold) ?? known.rankThreshold,
    confirmLosses: orDefault(fields.confirm_losses, defaults.confirmLosses) ?? known.confirmLosses,
    subjectsMax: fields.subjects_max ?? bound,
    reference: fields.reference === undefined ? known.reference : fields.reference,
  };
}

export function createTerms(
  read: MonitorInput & { type: CheckType; schedule: Schedule; notify: Notify },
  inputs: InputOf[],
): MonitorSettings {
  const { type, schedule, notify } = read;
  return mergeTerms(read, inputs, { ...defaults, schedule, notify, options: getDefaultOptions(type) });
}

function orDefault<T>(value: T | null | undefined, fallback: T): T | undefined {
  return value === null ? fallback : value;
}
