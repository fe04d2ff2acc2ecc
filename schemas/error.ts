import Type from 'typebox';
import { ObjectSchema } from './common.ts';
import { Location, locationsMax } from './location.ts';

/**
 * Body of every error. `error` is a code for programs. `message` is a text for people. A 422 has `errors`, with the
 * messages of at most 50 field paths. A 422 for an unknown or ambiguous `location` also has `candidates`: the cities
 * that may be meant. A 402 has `credits_needed` and `credits_available`.
 */
export const ErrorBody = ObjectSchema('Error', {
  success: Type.Literal(false),
  message: Type.String(),
  error: Type.String({ examples: ['validation_failed'] }),
  errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  candidates: Type.Optional(Type.Array(Location, { maxItems: locationsMax })),
  credits_needed: Type.Optional(Type.Integer({ minimum: 0 })),
  credits_available: Type.Optional(Type.Integer({ minimum: 0 })),
  retried_as: Type.Optional(Type.String()),
});
export type ErrorBody = Type.Static<typeof ErrorBody>;
