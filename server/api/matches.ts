import { readMatch, type TargetMatch } from '../../checks/search/target.ts';

/** The targets of one list, each read once, for the same competitors stand in query after query. */
export interface Matches {
  /** How a text is read as a target; null for what is none. */
  of(text: string, match?: TargetMatch): TargetMatch | null;
}

const rememberedMax = 1_000;

export function createMatches(): Matches {
  const implied = new Map<string, TargetMatch | null>();
  return {
    of: (text, match) => {
      const known = implied.get(text);
      const found = known === undefined ? readMatch(text) : known;
      if (known === undefined && implied.size < rememberedMax) implied.set(text, found);
      return found && (match ?? found);
    },
  };
}
