import Type from 'typebox';
import { Nullable, ObjectSchema, StringEnum } from './common.ts';

/** Parts of an answer that a rank query can include. */
export const includable = ['results', 'features', 'ai_overview'] as const;

/** Blocks of a results page beside the organic results. */
export const featureTypes = [
  'ai_overview',
  'featured_snippet',
  'people_also_ask',
  'local_pack',
  'knowledge_panel',
  'images',
  'videos',
  'news',
  'shopping',
  'sitelinks',
  'ads_top',
  'ads_bottom',
  'discussions',
  'other',
] as const;

export type FeatureType = (typeof featureTypes)[number];

export const Feature = ObjectSchema('Feature', {
  type: StringEnum(featureTypes),
  position: Nullable(
    Type.Integer({ minimum: 1 }),
    'Position from the top of the first page, counting blocks and organic results; null if the provider does not report it',
  ),
  owned: Nullable(
    Type.Boolean(),
    'Whether a URL of the block belongs to the target; null if the URLs of the block are not known',
  ),
  urls: Type.Array(Type.String(), { maxItems: 10 }),
});
export type Feature = Type.Static<typeof Feature>;

export const overviewStates = ['shown', 'not_shown', 'unread', 'unknown'] as const;

export const sourcesMax = 50;

export const OverviewSource = ObjectSchema('OverviewSource', {
  position: Type.Integer({ minimum: 1 }),
  url: Type.String(),
  title: Type.String(),
  source: Type.String({ description: 'Name of the website' }),
});
export type OverviewSource = Type.Static<typeof OverviewSource>;

/** Parts of an AI Overview that are stored apart from the other fields of the answer. */
const overviewContents = {
  sources: Type.Array(OverviewSource, {
    maxItems: sourcesMax,
    description: 'Empty if `state` is not `shown`',
  }),
  text: Nullable(Type.String(), 'Plain text of at most 4 KiB; null if the provider does not report it'),
};
export const OverviewContents = Type.Object(overviewContents);
export type OverviewContents = Type.Static<typeof OverviewContents>;

/** AI Overview of a query. `cited`, `cited_url` and `citation` are null in every `state` except `shown`. */
export const AiOverview = ObjectSchema('AiOverview', {
  state: StringEnum(overviewStates, {
    description:
      '`unread`: Google shows an AI Overview, but its sources could not be read. `unknown`: the provider does not ' +
      'report AI Overviews, or `start_page` is above 1',
  }),
  cited: Nullable(
    Type.Boolean(),
    'Whether a source of the overview matches the target; null if the sources were not read',
  ),
  cited_url: Nullable(Type.String(), 'The first source that matches the target'),
  citation: Nullable(Type.Integer({ minimum: 1 }), 'Position of `cited_url` among the sources'),
  sources: Type.Optional(overviewContents.sources),
  text: Type.Optional(overviewContents.text),
});
export type AiOverview = Type.Static<typeof AiOverview>;

/** Returns the price of a check at acceptance in credits: 1, or 2 with an AI Overview. */
export function getPrice(input: object): number {
  return 1 + Number(wantsOverview(input));
}

/**
 * Returns the credits that an answer costs: 2 if Google showed an AI Overview and its sources were read, otherwise 1.
 */
export function getAnswerPrice(answer: object): number {
  const { ai_overview: overview } = answer as { ai_overview?: AiOverview };
  return 1 + Number(overview?.state === 'shown');
}

export function wantsOverview(input: object): boolean {
  const { include } = input as { include?: readonly string[] };
  return include?.includes('ai_overview') ?? false;
}
