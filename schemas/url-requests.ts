import Type from 'typebox';
import { checkTypeEntry, checkTypeNames, isUrlCheckType, type UrlCheckType } from './check-types.ts';
import { batchSizeMax, Dedupe, OnInvalid, Reference, SubmissionId, TargetUrl, WebhookUrl } from './text.ts';

const single = { url: TargetUrl };
const bulk = {
  urls: Type.Array(TargetUrl, {
    minItems: 1,
    maxItems: batchSizeMax,
    description: 'Checked in any order, answered in this one',
  }),
  webhook_url: Type.Optional(WebhookUrl),
  reference: Type.Optional(Reference),
  submission_id: Type.Optional(SubmissionId),
  dedupe: Type.Optional(Dedupe),
  on_invalid: Type.Optional(OnInvalid),
};

export const urlCheckTypes: UrlCheckType[] = checkTypeNames.filter(isUrlCheckType);

/**
 * By type whose inputs are addresses: the body of a single check and of a list, with the type's own options.
 */
export const urlRequests = Object.fromEntries(
  urlCheckTypes.map((type) => [type, requestsOf(type)]),
) as Record<UrlCheckType, ReturnType<typeof requestsOf>>;

function requestsOf(type: UrlCheckType) {
  const { schemaName: name, options } = checkTypeEntry(type);
  return {
    single: Type.Object({ ...single, ...options.properties }, { $id: `${name}Request` }) as Type.TObject<
      typeof single
    >,
    bulk: Type.Object({ ...bulk, ...options.properties }, { $id: `${name}BulkRequest` }) as Type.TObject<
      typeof bulk
    >,
  };
}
