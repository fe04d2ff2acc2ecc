import Type from 'typebox';

/**
 * Body of every error. `error` is a code for programs, `message` a text for people. In a 422, `errors` maps at most 50
 * field paths to messages. A 402 has both credit counts.
 */
export const ErrorBody = Type.Object(
  {
    success: Type.Literal(false),
    message: Type.String(),
    error: Type.String({ examples: ['validation_failed'] }),
    errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    credits_needed: Type.Optional(Type.Integer({ minimum: 0 })),
    credits_available: Type.Optional(Type.Integer({ minimum: 0 })),
    retried_as: Type.Optional(Type.String()),
  },
  { $id: 'Error' },
);
export type ErrorBody = Type.Static<typeof ErrorBody>;
