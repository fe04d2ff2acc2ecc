import Type from 'typebox';
import { Nullable, ObjectSchema, Warnings } from './common.ts';

/** A city from which Google can be searched. */
export const Location = ObjectSchema('Location', {
  location: Type.String({
    description: 'Send this text as `location` of a query',
    examples: ['Austin, Texas, United States'],
  }),
  name: Type.String({ examples: ['Austin'] }),
  region: Nullable(
    Type.String({ examples: ['Texas'] }),
    'State or other first-level region; null if it is unknown',
  ),
  country: Type.String({ description: 'ISO 3166-1 alpha-2', examples: ['US'] }),
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
});
export type Location = Type.Static<typeof Location>;

export const locationsMax = 20;

export const LocationList = ObjectSchema('LocationList', {
  success: Type.Literal(true),
  data: Type.Array(Location, { maxItems: locationsMax }),
  warnings: Type.Optional(Warnings),
});
