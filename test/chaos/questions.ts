import type { CheckType } from '../../schemas/check-types.ts';
import type { Random } from '../support/random.ts';

/** An input whose words encode all that the run must know: `b12-c3-i7` is batch, chunk, item. */
export type Question = { url: string } | { url: string; keyword: string; end_page: number };

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
  const rank = random.pick([1, 4, 10, 13, 27, 99]);
  return { url: `rank-${rank}.example`, keyword: `shoes ${name}`, end_page: 3 };
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
  if (wrong.length === 0) return null;
  return `${JSON.stringify(asked)} was answered ${JSON.stringify(answer)} instead of ${JSON.stringify(expected)}`;
}

function rightAnswer(type: CheckType, asked: Record<string, unknown>): Record<string, unknown> {
  const words = String(asked.url ?? asked.target_url);
  if (type === 'http') return httpAnswers[new URL(words).pathname.split('/')[1] as HttpKind];
  if (type === 'index') return { is_indexed: words.startsWith('https://indexed-') };
  const rank = Number(/^rank-(\d+)\./.exec(words)?.[1]);
  return rank <= 30 ? { found: true, rank } : { found: false, rank: null };
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
