import Type from 'typebox';
import {
  batchSizeMax,
  Nullable,
  ObjectSchema,
  StringEnum,
  textPattern,
  visibleTextPattern,
} from './common.ts';

export const RenameRequest = ObjectSchema('RenameRequest', {
  name: Nullable(
    Type.String({ minLength: 1, maxLength: 255, pattern: textPattern, examples: ['October crawl'] }),
    'Null removes the name. `reference` does not change.',
  ),
});
export type RenameRequest = Type.Static<typeof RenameRequest>;

export const AgainRequest = ObjectSchema('AgainRequest', {
  type: Type.Optional(
    StringEnum(['http', 'index'], {
      description:
        'Type of the new checks. Only for batches of URLs. Default: the type and options of the batch',
    }),
  ),
  show: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'Only inputs with this kind of result. The values are those of the parameter `show` of `results.csv`',
    }),
  ),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: visibleTextPattern,
      description: 'Only inputs with this text in the URL, the keyword or its target',
    }),
  ),
  request_ids: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), {
      minItems: 1,
      maxItems: batchSizeMax,
      description: 'Only the inputs of these results',
    }),
  ),
});
export type AgainRequest = Type.Static<typeof AgainRequest>;
