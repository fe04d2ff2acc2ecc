import Type from 'typebox';

/**
 * The body of every error. `error` is a word for programs, `message` a sentence for people; `errors` comes
 * with a 422, field path to messages, at most 50 paths; the two counts come with a 402.
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
