import Type from 'typebox';
import { checkTypeNames, getCheckType, isUrlCheckType, type UrlCheckType } from './check-types.ts';
import {
  batchSizeMax,
  Dedupe,
  ObjectSchema,
  OnInvalid,
  Reference,
  SubmissionId,
  TargetUrl,
  WebhookUrl,
} from './common.ts';

const single = { url: TargetUrl };
const bulk = {
  urls: Type.Array(TargetUrl, {
    minItems: 1,
    maxItems: batchSizeMax,
    description: 'Results have the same order',
  }),
  webhook_url: Type.Optional(WebhookUrl),
  reference: Type.Optional(Reference),
  submission_id: Type.Optional(SubmissionId),
  dedupe: Type.Optional(Dedupe),
  on_invalid: Type.Optional(OnInvalid),
};

export const urlCheckTypes: UrlCheckType[] = checkTypeNames.filter(isUrlCheckType);

/** Request bodies of single and bulk checks, by type. */
export const urlRequests = Object.fromEntries(
  urlCheckTypes.map((type) => [type, createRequests(type)]),
) as Record<UrlCheckType, ReturnType<typeof createRequests>>;

function createRequests(type: UrlCheckType) {
  const { schemaName: name, options } = getCheckType(type);
  return {
    single: ObjectSchema(`${name}Request`, { ...single, ...options.properties }) as Type.TObject<
      typeof single
    >,
    bulk: ObjectSchema(`${name}BulkRequest`, { ...bulk, ...options.properties }) as Type.TObject<typeof bulk>,
  };
}
