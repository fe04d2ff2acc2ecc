import Type from 'typebox';

/** The answer of an invented check: the length of the URL. */
export const LengthAnswer = Type.Object({
  length: Type.Integer({ minimum: 0, description: 'Characters of the address' }),
  is_long: Type.Boolean({ description: 'More than `limit` characters' }),
});
export type LengthAnswer = Type.Static<typeof LengthAnswer>;

export const LengthOptions = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, default: 30, description: 'What is long' })),
});
