import { priceOf } from '../../../batches/accept.ts';
import type { ListEntry } from '../../../lists/list.ts';
import { ApiError } from '../../../process/api-error.ts';
import { readQueries } from '../../api/queries.ts';
import { FieldErrorCollector, type FieldErrors } from '../../http/errors.ts';
import { fieldName } from '../format.ts';
import type { Form } from '../forms.ts';
import { type Faults, faultsShownMax, type LineFault, type ValidationContext } from './faults.ts';
import { toRankQueries } from './rank-queries.ts';

// Replaces a missing site, so that the other fields can be validated.
const anySite = 'example.com';

/** Counts the rows of a rank list that are invalid by the rules of the API, and returns the first of them. */
export async function findQueryFaults(
  context: ValidationContext,
  entries: readonly ListEntry[],
  form?: Form,
): Promise<Faults> {
  const queries = toRankQueries(entries, form, anySite);
  const { valid, skipped } = await judge(context, queries, 'skip', new FieldErrorCollector());
  const shown: LineFault[] = [];
  for (const { position } of skipped.slice(0, faultsShownMax)) {
    const { line, text } = entries[position] as ListEntry;
    shown.push({ line, text, problem: await problemOf(context, queries[position]) });
  }
  return { shown, count: skipped.length, cost: priceOf([{ inputs: valid }]) };
}

async function problemOf(context: ValidationContext, query: unknown): Promise<string> {
  const faults = new FieldErrorCollector();
  await judge(context, [query], 'reject', faults);
  return Object.entries(errorsOf(faults))
    .map(([path, messages]) => worded(path, messages, query))
    .join(' ');
}

function judge(
  { search, config }: ValidationContext,
  queries: unknown[],
  onInvalid: 'skip' | 'reject',
  faults: FieldErrorCollector,
) {
  const { fullPagesMax } = config.providers;
  return readQueries(queries, { search, fullPagesMax, dedupe: false, onInvalid }, faults);
}

function errorsOf(faults: FieldErrorCollector): FieldErrors {
  try {
    faults.throwIfAny();
    return {};
  } catch (error) {
    return error instanceof ApiError ? (error.details.errors ?? {}) : {};
  }
}

/** Adds the field and its value to the message, so that the user finds the problem. */
function worded(path: string, [message = '']: string[], query: unknown): string {
  const [, , name = ''] = path.split('.');
  const value = (query as Record<string, unknown>)[name];
  const said = typeof value === 'string' ? ` “${value.slice(0, 40)}”` : '';
  return `${fieldName(name)}${said}: ${message}`;
}
