import type { ListEntry } from '../../../lists/list.ts';
import type { FailedInputOf, InputOf } from '../../../schemas/check-types.ts';
import { readQueries } from '../../api/queries.ts';
import type { ParsedEntries } from '../../api/read-list.ts';
import { readTargets } from '../../api/targets.ts';
import { FieldErrorCollector } from '../../http/errors.ts';
import type { DashboardContext } from '../context.ts';
import { fieldName } from '../format.ts';
import type { Form } from '../forms.ts';
import type { Check } from './checks.ts';
import { toRankQueries } from './rank-queries.ts';

/** Context of the validation: allowed targets, search providers and page limits. */
export interface ValidationContext extends Pick<DashboardContext, 'policy' | 'search'> {
  config: { providers: Pick<DashboardContext['config']['providers'], 'fullPagesMax'> };
}

/** The entries of a list without duplicates. A position counts the valid and the invalid entries. */
export interface ValidatedEntries extends ParsedEntries<InputOf, FailedInputOf> {
  /** The remaining entries by position. */
  entries: ListEntry[];
}

// Replaces a missing site, so that the other fields can be validated.
const anySite = 'example.com';

/** Reads the entries by the rules of the API. The form shows their price and checks them from the same result. */
export async function readEntries(
  { policy, search, config }: ValidationContext,
  check: Check,
  entries: readonly ListEntry[],
  form?: Form,
): Promise<ValidatedEntries> {
  const choice = { dedupe: true, onInvalid: 'skip' } as const;
  const faults = new FieldErrorCollector();
  const { fullPagesMax } = config.providers;
  const read =
    check === 'ranks'
      ? await readQueries(toRankQueries(entries, form, anySite), { search, fullPagesMax, ...choice }, faults)
      : await readTargets(
          entries.map(({ text }) => text),
          { policy, ...choice },
          faults,
        );
  return { ...read, entries: read.indexes.flatMap((index) => entries[index] ?? []) };
}

export interface LineFault {
  line: number;
  text: string;
  problem: string;
}

const faultsShownMax = 20;

export function describeFaults(
  check: Check,
  { skipped, entries }: ValidatedEntries,
  form?: Form,
): LineFault[] {
  return skipped.slice(0, faultsShownMax).map(({ position, problem }) => {
    const entry = entries[position] as ListEntry;
    const [query] = check === 'ranks' ? toRankQueries([entry], form, anySite) : [];
    return { line: entry.line, text: entry.text, problem: query ? nameField(problem, query) : problem };
  });
}

/** Names the field as the form does, with its value, so that the user finds the problem. */
function nameField(problem: string, query: object): string {
  const [, name, message] = /^(\w+)(?:\.\d+)?: (.*)$/s.exec(problem) ?? [];
  if (name === undefined) return problem;
  const value = (query as Record<string, unknown>)[name];
  const said = typeof value === 'string' ? ` “${value.slice(0, 40)}”` : '';
  return `${fieldName(name)}${said}: ${message}`;
}
