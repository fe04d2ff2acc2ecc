import type { BatchRequest } from '../../batches/accept.ts';
import type { AddressPolicy } from '../../net/address.ts';
import { checkTypes, type OptionsOf, type UrlCheckType } from '../../schemas/check-types.ts';
import { urlRequests } from '../../schemas/url-requests.ts';
import { FieldErrorCollector } from '../http/errors.ts';
import { createValidator } from '../http/validate.ts';
import { readTarget, readTargets } from './targets.ts';

type ReadUrlBatch = (
  context: { policy: AddressPolicy },
  accountId: number,
  body: unknown,
) => Promise<BatchRequest>;

/** Returns a function that reads a list of URLs as a batch. It throws a 422 that lists all invalid fields. */
export function createUrlBatchReader(type: UrlCheckType): ReadUrlBatch {
  const readBody = createValidator(urlRequests[type].bulk, { lists: ['urls'] });
  return async ({ policy }, accountId, body) => {
    const faults = new FieldErrorCollector();
    const fields = readBody.collect(body, faults);
    const { urls = [], webhook_url: webhook, reference = null, submission_id: submissionId } = fields;
    const choice = { dedupe: fields.dedupe ?? false, onInvalid: fields.on_invalid ?? 'reject' };
    const webhookUrl = webhook === undefined ? null : readTarget('webhook_url', webhook, policy, faults);
    const targets = await readTargets(urls, { policy, ...choice }, faults);
    faults.throwIfAny();
    return {
      accountId,
      type,
      inputs: targets.valid,
      skipped: targets.skipped,
      duplicates: targets.duplicates,
      options: readOptions(type, fields),
      reference,
      submissionId: submissionId?.toLowerCase() ?? null,
      webhookUrl: webhookUrl?.asSent ?? null,
    };
  };
}

/** Reads the options of a check type from a body and sets defaults. */
export function readOptions(type: UrlCheckType, body: object): OptionsOf<UrlCheckType> {
  const given = body as Record<string, unknown>;
  const chosen = Object.entries(checkTypes[type].options.properties).map(([name, schema]) => [
    name,
    given[name] ?? (schema as { default?: unknown }).default,
  ]);
  return Object.fromEntries(chosen);
}
