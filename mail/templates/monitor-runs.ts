import { find } from '../../db/accounts/user-emails.ts';
import { countByKind } from '../../db/monitors/changes.ts';
import { listNamed, type NamedRun } from '../../db/monitors/monitor-runs.ts';
import * as digests from '../../db/notifications/digests.ts';
import { markDigestWritten } from '../../db/notifications/mails.ts';
import { counted } from '../../process/counted.ts';
import { type ChangeKind, changeKinds } from '../../schemas/change-kinds.ts';
import { skipReasons } from '../../schemas/monitor-types.ts';
import { toPlainName } from '../plain-name.ts';
import type { Template } from '../template.ts';

const monitorsMax = 20;

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
    const counted = await countByKind(trx, accountId, { runIds });
    const changes = counted.reduce((sum, { changes: number }) => sum + number, 0);
    const isDaily = (await digests.find(trx, accountId)).at !== null;
    const byMonitor = [...Map.groupBy(runs, ({ monitorId }) => monitorId)];
    const omitted = byMonitor.length - monitorsMax;
    return {
      to: user.email,
      subject: changes > 0 ? 'Your monitors found changes' : 'Update from your monitors',
      parts: [
        {
          list: byMonitor.slice(0, monitorsMax).map(([monitorId, group]) => {
            const summary = summarise(
              group,
              counted.filter((count) => count.monitorId === monitorId),
            );
            return {
              text: `${toPlainName(group[0]?.name ?? '')}: ${summary}`,
              url: `${baseUrl}/monitors/${monitorId}`,
            };
          }),
        },
        ...(omitted > 0 ? [{ text: `More monitors: ${omitted}.` }] : []),
        { button: { label: 'View monitors', url: `${baseUrl}/monitors` } },
        ...(runs.some(isPausedUnpaid) ? [{ text: `Add credits: ${baseUrl}/credits` }] : []),
        {
          small: `You get ${isDaily ? 'one email a day' : 'at most one email an hour'}. You can turn emails off for each monitor.`,
        },
      ],
    };
  },
};

export function summarise(
  runs: readonly NamedRun[],
  counted: ReadonlyArray<{ kind: ChangeKind; changes: number }>,
): string {
  const sentences = [
    ...counted.map(({ kind, changes }) => `${changeKinds[kind].sentence.replace(/\.$/, '')} (${changes}).`),
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
