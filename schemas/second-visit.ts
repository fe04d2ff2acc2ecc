import Type from 'typebox';
import { batchSizeMax, Nullable, textPattern, visibleTextPattern, Word } from './text.ts';

/** POST /batch/{batch_id}/rename: what people call it. */
export const RenameRequest = Type.Object(
  {
    name: Nullable(
      Type.String({ minLength: 1, maxLength: 255, pattern: textPattern, examples: ['October crawl'] }),
      'Null takes the name away; `reference` stays what it was.',
    ),
  },
  { $id: 'RenameRequest' },
);
export type RenameRequest = Type.Static<typeof RenameRequest>;

/** POST /batch/{batch_id}/again: which of its inputs, and what is checked of them. */
export const AgainRequest = Type.Object(
  {
    type: Type.Optional(
      Word(['http', 'index'], {
        description: 'What to check of addresses; without it what was checked before, with the same options',
      }),
    ),
    show: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'Only inputs with such results; the words of `results.csv`',
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
  },
  { $id: 'AgainRequest' },
);
export type AgainRequest = Type.Static<typeof AgainRequest>;
