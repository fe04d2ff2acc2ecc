import Type from 'typebox';
import { timePattern } from './monitor-words.ts';
import { Nullable, Warnings, Word } from './text.ts';

const At = Type.String({ pattern: timePattern, examples: ['08:00'] });
const Timezone = Type.String({ minLength: 1, maxLength: 64, examples: ['Europe/Berlin'] });
const Every = Word(['run', 'day'], {
  description: '`run`: when runs end, one mail an hour at most. `day`: one mail of all that a day brought',
});

/** PATCH /digest. */
export const DigestRequest = Type.Object(
  {
    every: Every,
    at: Type.Optional(Nullable(At, 'With `day`; 08:00 unless given, or as it was')),
    timezone: Type.Optional(Nullable(Timezone, 'With `day`, an IANA name; UTC unless given, or as it was')),
  },
  { $id: 'DigestRequest' },
);

/** GET and PATCH /digest. */
export const DigestShown = Type.Object(
  {
    success: Type.Literal(true),
    every: Every,
    at: Nullable(At, 'By the clock on the wall of `timezone`; null with `run`'),
    timezone: Nullable(Timezone, 'Null with `run`'),
    warnings: Type.Optional(Warnings),
  },
  { $id: 'Digest' },
);
