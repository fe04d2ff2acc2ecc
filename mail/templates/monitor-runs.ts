import { find } from '../../db/accounts/user-emails.ts';
import { countByKind, listMoves, type NotifiedMove } from '../../db/monitors/changes.ts';
import { listNamed, type NamedRun } from '../../db/monitors/monitor-runs.ts';
import * as digests from '../../db/notifications/digests.ts';
import { markDigestWritten } from '../../db/notifications/mails.ts';
import { counted, grouped } from '../../process/counted.ts';
import { type ChangeKind, changeKinds, getChangeKind } from '../../schemas/change-kinds.ts';
import { skipReasons } from '../../schemas/monitor-types.ts';
import { toPlainName, toPlainPath } from '../plain-name.ts';
import type { MailPart, Template } from '../template.ts';

const monitorsMax = 20;
const movesMax = 20;

/** For owners of an account: a digest of the runs of its monitors since the previous digest. */
export const monitorRuns: Template = {
  canAnyoneCause: false,
  list: 'monitors',
  compose: async ({ trx, baseUrl }, mail) => {
    const accountId = mail.accountId ?? 0;
    const user = await find(trx, mail.userId ?? 0);
    if (!user) return null;
    const runIds = await markDigestWritten(trx, mail.mailId);
    const runs = await listNamed(trx, accountId, runIds);
    if (runs.length === 0) return null;
    const counts = await countByKind(trx, accountId, { runIds });
    const moves = await listMoves(trx, accountId, { runIds, limit: movesMax });
    const isDaily = (await digests.find(trx, accountId)).at !== null;
    const byMonitor = [...Map.groupBy(runs, ({ monitorId }) => monitorId)];
    const omitted = byMonitor.length - monitorsMax;
    return {
      to: user.email,
      subject: toSubject(runs, counts, moves.rows),
      parts: [
        {
          list: byMonitor.slice(0, monitorsMax).map(([monitorId, group]) => {
            const summary = summarise(
              group,
              counts.filter((count) => count.monitorId === monitorId),
            );
            return {
              text: `${toPlainName(group[0]?.name ?? '')}: ${summary}`,
              url: `${baseUrl}/monitors/${monitorId}`,
            };
          }),
        },
        ...(omitted > 0 ? [{ text: `More monitors: ${omitted}.` }] : []),
        ...describeMoves(moves, baseUrl),
        { button: { label: 'View monitors', url: `${baseUrl}/monitors` } },
        ...(runs.some(isPausedUnpaid) ? [{ text: `Add credits: ${baseUrl}/credits` }] : []),
        {
          small: `You get ${isDaily ? 'one email a day' : 'at most one email an hour'}. You can turn emails off for each monitor.`,
        },
      ],
    };
  },
};

/** Returns the most important fact: a paused monitor, else the greatest move of a rank, else a change or a problem. */
export function toSubject(
  runs: readonly NamedRun[],
  counts: ReadonlyArray<{ monitorId: string; kind: ChangeKind; changes: number }>,
  [move]: readonly NotifiedMove[],
): string {
  const nameIf = (isNamed: (run: NamedRun) => boolean) => {
    const run = runs.find(isNamed);
    return run && toPlainName(run.name);
  };
  const paused = nameIf(isPausedUnpaid);
  if (paused !== undefined) return `Monitor paused: ${paused}`;
  const changes = counts.reduce((sum, { changes: number }) => sum + number, 0);
  if (move) {
    const others = changes > 1 ? `, and ${counted(changes - 1, 'more change')}` : '';
    return `“${toPlainName(move.input.keyword)}” ${describeMove(move)}${others}`;
  }
  const worst = counts.find(({ kind }) => getChangeKind(kind).isGood === false) ?? counts[0];
  if (worst) {
    const name = nameIf(({ monitorId }) => monitorId === worst.monitorId);
    return `${name}: ${describeKind(worst)}`;
  }
  const problems: Array<[string, string | undefined]> = [
    ['Run failed', nameIf(({ status }) => status === 'failed')],
    ['Run skipped', nameIf(({ status }) => status === 'skipped')],
    ['Check the sitemap', nameIf(({ sitemapDoubtful, leftOut }) => sitemapDoubtful || leftOut > 0)],
  ];
  const problem = problems.find(([, name]) => name !== undefined);
  return problem ? problem.join(': ') : 'Your monitors found no changes';
}

function describeMove({ before, after }: NotifiedMove): string {
  if (before === null) return `now ranks at #${after}`;
  if (after === null) return `no longer ranks, was #${before}`;
  return `${after < before ? 'moved up' : 'dropped'} from #${before} to #${after}`;
}

/** Returns a table of moves, and the number of further moves with a link to them. */
function describeMoves(
  { rows, total }: { rows: NotifiedMove[]; total: number },
  baseUrl: string,
): MailPart[] {
  const [first] = rows;
  if (!first) return [];
  const toRank = (rank: number | null) => (rank === null ? 'not ranked' : `#${rank}`);
  const hasOneMonitor = rows.every(({ monitorId }) => monitorId === first.monitorId);
  const path = hasOneMonitor ? `/monitors/${first.monitorId}/changes` : '/monitors';
  const table = {
    head: ['Keyword', 'Before', 'Now', 'Page'],
    rows: rows.map(({ input, before, after, url }) => [
      `${toPlainName(input.keyword)} (${toPlainName(input.location ?? input.country)}, ${input.device})`,
      toRank(before),
      toRank(after),
      toPlainPath(url ?? ''),
    ]),
  };
  return [
    { table },
    ...(total > rows.length ? [{ text: `And ${grouped(total - rows.length)} more: ${baseUrl}${path}` }] : []),
  ];
}

function describeKind({ kind, changes }: { kind: ChangeKind; changes: number }): string {
  return `${changeKinds[kind].sentence.replace(/\.$/, '')} (${changes})`;
}

export function summarise(
  runs: readonly NamedRun[],
  counts: ReadonlyArray<{ kind: ChangeKind; changes: number }>,
): string {
  const sentences = [
    ...counts.map((count) => `${describeKind(count)}.`),
    ...describeFailed(runs.filter(({ status }) => status === 'failed').length),
    ...describeSitemap(runs),
    ...describeSkipped(runs),
  ];
  return sentences.length > 0 ? sentences.join(' ') : 'No changes.';
}

function describeFailed(failed: number): string[] {
  return failed > 0 ? [`Not checked: all checks of ${counted(failed, 'run')} failed and were refunded.`] : [];
}

function describeSitemap(runs: readonly NamedRun[]): string[] {
  const isDoubtful = runs.some(({ sitemapDoubtful }) => sitemapDoubtful);
  const leftOut = Math.max(0, ...runs.map((run) => run.leftOut));
  const urls =
    leftOut === 1 ? '1 URL of the sitemap was' : `${leftOut.toLocaleString('en')} URLs of the sitemap were`;
  return [
    ...(isDoubtful
      ? [
          'The sitemap could not be read, was empty, or lost more than half of its URLs. The previous list was used. Check the sitemap.',
        ]
      : []),
    ...(leftOut > 0 ? [`${urls} not checked.`] : []),
  ];
}

function describeSkipped(runs: readonly NamedRun[]): string[] {
  const skipped = runs.flatMap(({ reason }) => reason ?? []);
  const reasons = [...new Set(skipped)].map((reason) => skipReasons[reason]);
  return [
    ...(skipped.length > 0 ? [`${counted(skipped.length, 'run')} skipped: ${reasons.join(' ')}`] : []),
    ...(runs.some(isPausedUnpaid)
      ? [
          'Paused: your credits did not cover three runs in a row. It resumes automatically when they cover a run.',
        ]
      : []),
  ];
}

function isPausedUnpaid({ monitorPausedReason }: NamedRun): boolean {
  return monitorPausedReason === 'insufficient_credits';
}
