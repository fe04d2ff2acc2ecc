import Type from 'typebox';
import { Nullable, ObjectSchema, StringEnum, Warnings } from './common.ts';
import { timePattern } from './monitor-types.ts';

const At = Type.String({ pattern: timePattern, examples: ['08:00'] });
const Timezone = Type.String({ minLength: 1, maxLength: 64, examples: ['Europe/Berlin'] });
const Every = StringEnum(['run', 'day'], {
  description: '`run`: an email when runs end, at most one an hour. `day`: one email a day',
});

export const DigestRequest = ObjectSchema('DigestRequest', {
  every: Every,
  at: Type.Optional(
    Nullable(At, 'Only with `day`. Default: the current value, or 08:00 if the current value is null'),
  ),
  timezone: Type.Optional(
    Nullable(
      Timezone,
      'IANA time zone. Only with `day`. Default: the current value, or UTC if the current value is null',
    ),
  ),
});

export const DigestResponse = ObjectSchema('Digest', {
  success: Type.Literal(true),
  every: Every,
  at: Nullable(At, 'Local time in `timezone`; null with `run`'),
  timezone: Nullable(Timezone, 'Null with `run`'),
  warnings: Type.Optional(Warnings),
});
