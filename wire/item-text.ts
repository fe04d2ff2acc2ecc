import { type RawBuilder, sql } from 'kysely';
import { type CheckType, checkTypeNames, checkTypes } from '../schemas/check-types.ts';
import { itemErrors } from '../schemas/failures.ts';
import { failureMessage } from './bodies.ts';

/** Of which items, and what is shown of each besides what always is. */
export interface ItemText {
  type: CheckType;
  isTest: boolean;
  evidence: boolean;
  results: boolean;
  /** Told with each unless it is undefined; null where the batch has none. */
  reference?: string | null | undefined;
}

/**
 * What `itemBody` makes of a row of `items`, as JSON text that Postgres joins of what it has as such: of thousands of
 * results nothing is parsed here, made an object and written again. Its parts have no field in common and each has one.
 */
export function itemText({ type, isTest, evidence, results, reference }: ItemText): RawBuilder<string> {
  // A type that only newer processes know may have it.
  const hasEvidence = !checkTypeNames.includes(type) || 'asked' in checkTypes[type].answer.properties;
  const answer = hasEvidence && !evidence ? withoutEvidence : sql`outcome::text`;
  const success = sql`${`"credits":${isTest ? 0 : 1}`} || ${checkedAt} || ${`}${seam}`} || ${answer}`;
  const failure = sql`'"credits":0' || ${checkedAt} || ',"error":"' || error
    || '","message":' || to_json(${messageOf(type, isTest)}) || '}'`;
  const end = reference === undefined ? '' : `${seam}{"reference":${JSON.stringify(reference)}}`;
  // By looking for the seams, for to cut a text before its last character Postgres counts them all.
  return sql<string>`replace(
    input::text || ${`${seam}{"request_id":`} || request_id || ',"state":"' || state || '",'
      || case state when 'success' then ${results ? sql`${success} || ${foundResults}` : success} else ${failure} end || ${end},
    ${`}${seam}{`}, ',')`;
}

/** No JSON text has this character. */
const seam = '\x01';

const checkedAt = sql`',"checked_at":"' || to_char(checked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') || '+00:00"'`;

// As it was written, always after another field: and in no string a quote follows a comma as it is.
const withoutEvidence = sql`coalesce(replace(outcome::text, ',"asked":' || (outcome->>'asked'), ''), outcome::text)`;

const foundResults = sql`coalesce(${`${seam}{"results":`} || (select results::text from result_pages
  where result_pages.account_id = items.account_id and result_pages.request_id = items.request_id) || '}', '')`;

/** As `failureMessage` words it. */
function messageOf(type: CheckType, isTest: boolean): RawBuilder<string> {
  const known = itemErrors.map((error) => [error, failureMessage({ type, error }, isTest)]);
  const notCharged = failureMessage({ type, error: 'invalid_url', problem: '' }, isTest);
  return sql`coalesce(problem || ${notCharged}, ${JSON.stringify(Object.fromEntries(known))}::json->>error)`;
}
