import type { MonitorTerms } from '../../db/monitors/monitors.ts';
import { boundOf } from '../../monitors/monitor.ts';
import type { CheckType, InputOf } from '../../schemas/check-types.ts';
import type { MonitorPatch } from '../../schemas/monitor.ts';
import { type Notify, type Schedule, subjectsMax as subjectsMaxOfAll } from '../../schemas/monitor-words.ts';
import { validationError } from '../http/errors.ts';
import type { ListRead } from './read-monitor.ts';
import { optionsOf } from './read-urls.ts';

type Chosen = 'name' | 'stop_when' | 'rank_threshold' | 'confirm_losses' | 'subjects_max' | 'reference';

/** What a request says of a monitor. */
interface MonitorRead {
  fitting: Pick<Partial<MonitorPatch>, Chosen>;
  list: ListRead;
  /** Undefined where it is silent, as is the next. */
  schedule: Schedule | undefined;
  notify: Notify | undefined;
}

/** What holds of a monitor of which nothing else is said. */
const usual = {
  name: '',
  sitemapUrl: null,
  stopWhen: null,
  rankThreshold: 3,
  confirmLosses: true,
  subjectsMax: subjectsMaxOfAll,
  reference: null,
};

/**
 * What a monitor is to be, of what it is and what a request says: what is missing stays, null is as usual. `inputs`:
 * what it checks from now on, null where that stays. Throws a 422 when they are more than it may check.
 */
export function termsOf(
  { fitting, list, schedule, notify }: MonitorRead,
  inputs: InputOf[] | null,
  known: MonitorTerms,
): MonitorTerms {
  const bound = inputs ? boundOf(list.sitemapUrl, inputs.length) : known.subjectsMax;
  const subjectsMax = fitting.subjects_max ?? bound;
  if (list.inputs && list.inputs.length > subjectsMax) throw tooLong(list.inputs.length);
  return {
    name: fitting.name?.trim() ?? known.name,
    sitemapUrl: inputs ? list.sitemapUrl : known.sitemapUrl,
    schedule: schedule ?? known.schedule,
    notify: notify ?? known.notify,
    options: known.options,
    stopWhen: fitting.stop_when === undefined ? known.stopWhen : fitting.stop_when,
    rankThreshold: given(fitting.rank_threshold, usual.rankThreshold) ?? known.rankThreshold,
    confirmLosses: given(fitting.confirm_losses, usual.confirmLosses) ?? known.confirmLosses,
    subjectsMax,
    reference: fitting.reference === undefined ? known.reference : fitting.reference,
  };
}

/** The same of one that is not there yet. */
export function newTermsOf(
  read: MonitorRead & { type: CheckType; schedule: Schedule; notify: Notify },
  inputs: InputOf[],
): MonitorTerms {
  const { type, schedule, notify } = read;
  const options = type === 'keyword' ? {} : optionsOf(type, {});
  return termsOf(read, inputs, { ...usual, schedule, notify, options });
}

/** Null is given too, and means as usual. */
function given<T>(asked: T | null | undefined, asUsual: T): T | undefined {
  return asked === null ? asUsual : asked;
}

function tooLong(entries: number) {
  return validationError({ subjects_max: [`The list has ${entries.toLocaleString('en')} entries.`] });
}
