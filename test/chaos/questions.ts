import type { CheckType } from '../../schemas/check-types.ts';
import type { AiOverview } from '../../schemas/features.ts';
import { citedHost, findOverviewWord, overviewCases } from '../support/google.ts';
import type { Random } from '../support/random.ts';

/** An input whose words say what the run must know: `b12-c3-i7` is batch, chunk, item. */
export type Question = { url: string } | RankQuestion;

export interface RankQuestion {
  url: string;
  keyword: string;
  end_page: number;
  device: string;
  include?: string[];
  location?: string;
}

/** Items per chunk of the service. */
export const chunkSizes: Record<CheckType, number> = { http: 50, index: 10, keyword: 10 };

const hostsMax = 10;
export const hosts = Array.from({ length: hostsMax }, (_, index) => `127.0.0.${index + 1}`);

const httpKinds = ['ok', 'ok', 'ok', 'ok', 'gone', 'broken', 'moved', 'soft', 'refused'] as const;
type HttpKind = (typeof httpKinds)[number] | 'slow';

/** Creates an input of a batch; `name`, such as `b12-c3-i7`, makes it unique. */
export function questionFor(
  type: CheckType,
  name: string,
  { random, sitePort, deadPort }: { random: Random; sitePort: number; deadPort: number },
): Question {
  if (type === 'http') {
    const kind = random.pick(httpKinds);
    const port = kind === 'refused' ? deadPort : sitePort;
    return { url: `http://${random.pick(hosts)}:${port}/${kind}/${name}` };
  }
  if (type === 'index') return { url: `https://${random.pick(['indexed', 'absent'])}-${name}.example/page` };
  return rankQuestionFor(name, random);
}

/** Creates a rank query, which may want an AI Overview, features or a city. */
export function rankQuestionFor(name: string, random: Random): RankQuestion {
  const rank = random.pick([1, 4, 10, 13, 27, 99]);
  const include = random.pick([[], ['features'], ['ai_overview'], ['features', 'ai_overview']]);
  const location = random.pick([null, null, 'Austin, Texas, United States']);
  return {
    url: `rank-${rank}.example`,
    keyword: `shoes overview-${random.pick(overviewCases)} ${name}`,
    end_page: 3,
    device: random.pick(['desktop', 'desktop', 'mobile']),
    ...(include.length > 0 ? { include } : {}),
    ...(location ? { location } : {}),
  };
}

/** Parses the chunk from a request to a site or a provider; null for a single check. */
export function chunkIn(words: string): string | null {
  return /\b(b\d+-c\d+)-i\d+/.exec(words)?.[1] ?? null;
}

/** Returns the error in a recorded answer, or null if it is right. */
export function wrongIn(
  type: CheckType,
  asked: Record<string, unknown>,
  answer: Record<string, unknown>,
): string | null {
  const expected = rightAnswer(type, asked);
  const wrong = Object.entries(expected).filter(([field, value]) => answer[field] !== value);
  const reason = wrong.length > 0 ? `is not ${JSON.stringify(expected)}` : findWrongParts(asked, answer);
  return reason && `${JSON.stringify(asked)} was answered ${JSON.stringify(answer)}: ${reason}`;
}

function rightAnswer(type: CheckType, asked: Record<string, unknown>): Record<string, unknown> {
  const words = String(asked.url ?? asked.target_url);
  if (type === 'http') return httpAnswers[new URL(words).pathname.split('/')[1] as HttpKind];
  if (type === 'index') return { is_indexed: words.startsWith('https://indexed-') };
  const rank = Number(/^rank-(\d+)\./.exec(words)?.[1]);
  return rank <= 30 ? { found: true, rank } : { found: false, rank: null };
}

/** Checks that an answer has the parts that were asked for, and the state of the AI Overview. */
function findWrongParts(asked: Record<string, unknown>, answer: Record<string, unknown>): string | null {
  const include = (asked.include ?? []) as string[];
  if (include.includes('features') !== Array.isArray(answer.features)) return 'wrong features';
  const overview = answer.ai_overview as AiOverview | undefined;
  if (include.includes('ai_overview') !== (overview !== undefined)) return 'wrong AI Overview';
  if (!overview) return null;
  if (!listRightStates(asked, answer).includes(overview.state)) return 'wrong state';
  const cited = overview.state === 'shown' ? asked.target_url === citedHost : null;
  return overview.cited === cited ? null : 'wrong citation';
}

/** Lists the correct states. Serper cannot report overviews, and the call with SerpApi's token may fail. */
function listRightStates(asked: Record<string, unknown>, { provider }: Record<string, unknown>): string[] {
  if (provider === 'serper') return ['unknown'];
  const kind = findOverviewWord(String(asked.keyword));
  if (kind === 'none' || (kind === 'phone' && asked.device === 'desktop')) return ['not_shown'];
  if (kind === 'later') return ['shown', 'unread'];
  return kind === 'inline' || kind === 'phone' ? ['shown'] : ['unread'];
}

const httpAnswers: Record<HttpKind, Record<string, unknown>> = {
  ok: { status: 200, is_soft404: false, error: null },
  slow: { status: 200, is_soft404: false, error: null },
  gone: { status: 404, is_soft404: false, error: null },
  broken: { status: 500, is_soft404: false, error: null },
  moved: { status: 200, initial_status: 301, redirect_count: 1, error: null },
  soft: { status: 200, is_soft404: true, error: null },
  refused: { status: 0, is_soft404: false, error: 'connect_refused' },
};
