import { STATUS_CODES } from 'node:http';
import { type HttpStatusAnswer, httpErrorWords } from '../../../schemas/http-status.ts';
import type { Tone } from './shares.ts';
import { type Soft404Reason, soft404Words } from './soft-404-words.ts';

/** The answer of a check, in words. */
export interface AnswerView {
  answer: string;
  tone: Tone;
  evidence: string[];
  /** The redirect chain: all URLs with their status. */
  redirects: Array<{ status: string; url: string }>;
  /**
   * HTTP check: the URL after redirects. Index check: the URL that Google shows. Rank check: the page that ranks. Null
   * if there is no such URL, or if it equals the input.
   */
  found: string | null;
  /** Number of redirects; null for checks of Google. */
  hops: number | null;
  /** Response time in milliseconds. Null if there is no response, and for checks of Google. */
  ms: number | null;
  /** A sentence that names the search provider. Absent for HTTP checks. */
  source?: string;
}

export function describeStatus(answer: HttpStatusAnswer): AnswerView {
  const { status, redirects, redirect_count: hops, final_url: finalUrl, error, bot_wall: botWall } = answer;
  const evidence = [
    ...(error ? [answer.error_detail ?? httpErrorWords[error]] : []),
    ...(answer.is_soft404
      ? [
          'The page says that it does not exist, although its status is 200.',
          ...answer.soft404_reasons.flatMap((reason) => soft404Words[reason as Soft404Reason] ?? []),
        ]
      : []),
    ...(botWall ? [`Bot protection (${botWall}) answered instead of the page.`] : []),
    ...describePage(answer),
  ];
  const chain = redirects.map((hop) => ({ status: String(hop.status), url: hop.url }));
  return {
    ...toAnswer(answer),
    evidence,
    redirects: chain.length > 0 ? [...chain, { status: status ? String(status) : '—', url: finalUrl }] : [],
    found: hops > 0 ? finalUrl : null,
    hops,
    ms: status > 0 ? answer.response_time_ms : null,
  };
}

function toAnswer({
  status,
  is_soft404: isSoft404,
  error,
}: HttpStatusAnswer): Pick<AnswerView, 'answer' | 'tone'> {
  if (isSoft404) return { answer: 'Soft 404', tone: 'warn' };
  if (error === 'redirect_loop') return { answer: 'Redirect loop', tone: 'bad' };
  if (status === 0) return { answer: 'Unreachable', tone: 'bad' };
  return { answer: `${status} ${STATUS_CODES[status] ?? ''}`.trim(), tone: statusTone(status) };
}

function describePage({ title, noindex, canonical, final_url: finalUrl }: HttpStatusAnswer): string[] {
  const isElsewhere = Boolean(canonical) && canonical !== finalUrl;
  return [
    ...(noindex
      ? [`Asks not to be indexed, in its ${noindex === 'header' ? 'headers' : 'robots meta tag'}.`]
      : []),
    ...(isElsewhere ? [`Canonical URL: ${canonical}`] : []),
    ...(title ? [`Title: ${title}`] : []),
  ];
}

function statusTone(status: number): AnswerView['tone'] {
  if (status < 300) return 'good';
  if (status < 400) return 'info';
  return status < 600 ? 'bad' : 'low';
}
