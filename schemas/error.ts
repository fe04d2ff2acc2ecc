import Type from 'typebox';
import { Location, locationsMax } from './location.ts';

/**
 * Body of every error. `error` is a code for programs, `message` a text for people. In a 422, `errors` maps at most 50
 * field paths to messages, and `candidates` are the cities that an unknown or ambiguous `location` may mean. A 402 has
 * both credit counts.
 */
export const ErrorBody = Type.Object(
  {
    success: Type.Literal(false),
    message: Type.String(),
    error: Type.String({ examples: ['validation_failed'] }),
    errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    candidates: Type.Optional(Type.Array(Location, { maxItems: locationsMax })),
    credits_needed: Type.Optional(Type.Integer({ minimum: 0 })),
    credits_available: Type.Optional(Type.Integer({ minimum: 0 })),
    retried_as: Type.Optional(Type.String()),
  },
  { $id: 'Error' },
);
export type ErrorBody = Type.Static<typeof ErrorBody>;
