import type { BatchRequest } from '../../batches/accept.ts';
import type { AddressPolicy } from '../../net/address.ts';
import { getDefaultOptions, type OptionsOf, type UrlCheckType } from '../../schemas/check-types.ts';
import type { KeywordRequest } from '../../schemas/keyword.ts';
import { urlRequests } from '../../schemas/url-requests.ts';
import { FieldErrorCollector } from '../http/errors.ts';
import { createValidator } from '../http/validate.ts';
import { readTarget, readTargets } from './targets.ts';

/** Returns a function that reads a list of URLs as a batch. It throws a 422 that lists up to 50 invalid fields. */
export function createUrlBatchReader(type: UrlCheckType) {
  const readBody = createValidator(urlRequests[type].bulk, { lists: ['urls'] });
  return async (
    { policy }: { policy: AddressPolicy },
    accountId: number,
    body: unknown,
  ): Promise<BatchRequest> => {
    const faults = new FieldErrorCollector();
    const fields = readBody.collect(body, faults);
    const { urls = [], dedupe = false, on_invalid: onInvalid = 'reject' } = fields;
    const labels = readLabels(fields, policy, faults);
    const { valid, skipped, duplicates } = await readTargets(urls, { policy, dedupe, onInvalid }, faults);
    faults.throwIfAny();
    const options = readOptions(type, fields);
    return { accountId, type, inputs: valid, skipped, duplicates, options, ...labels };
  };
}

/** Reads the fields that requests for batches of all types have. */
export function readLabels(
  {
    reference,
    submission_id: submissionId,
    webhook_url: webhook,
  }: Pick<Partial<KeywordRequest>, 'reference' | 'submission_id' | 'webhook_url'>,
  policy: AddressPolicy,
  faults: FieldErrorCollector,
): Pick<BatchRequest, 'reference' | 'submissionId' | 'webhookUrl'> {
  const target = webhook === undefined ? null : readTarget('webhook_url', webhook, policy, faults);
  return {
    reference: reference ?? null,
    submissionId: submissionId?.toLowerCase() ?? null,
    webhookUrl: target?.asSent ?? null,
  };
}

/** Reads the options of a check type from a body and sets defaults. */
export function readOptions(type: UrlCheckType, body: object): OptionsOf<UrlCheckType> {
  const given = body as Record<string, unknown>;
  const options = Object.entries(getDefaultOptions(type));
  return Object.fromEntries(options.map(([name, fallback]) => [name, given[name] ?? fallback]));
}
