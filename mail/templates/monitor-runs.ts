import { find } from '../../db/accounts/user-emails.ts';
import { countByRuns } from '../../db/monitors/changes.ts';
import { listNamed, type NamedRun } from '../../db/monitors/monitor-runs.ts';
import * as digests from '../../db/notifications/digests.ts';
import { closeDigest } from '../../db/notifications/mails.ts';
import { type ChangeKind, changeKinds } from '../../schemas/change-kinds.ts';
import { toPlainName } from '../plain-name.ts';
import type { Template } from '../template.ts';

const monitorsMax = 20;

/** For owners of an account: a digest of the runs of its monitors since the previous digest. */
export const monitorRuns: Template = {
  isRequestable: false,
  list: 'monitors',
  compose: async ({ trx, baseUrl }, mail) => {
    const accountId = mail.accountId ?? 0;
    const user = await find(trx, mail.userId ?? 0);
    if (!user) return null;
    const runIds = await closeDigest(trx, mail.mailId);
    const runs = await listNamed(trx, accountId, runIds);
    if (runs.length === 0) return null;
    const counted = await countByRuns(trx, accountId, runIds);
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
        ...(omitted > 0 ? [{ text: `And ${omitted} more.` }] : []),
        { button: { label: 'View monitors', url: `${baseUrl}/monitors` } },
        {
          small: `You get ${isDaily ? 'one email a day' : 'at most one email an hour'}. You can turn emails off for each monitor.`,
        },
      ],
    };
  },
};

function summarise(runs: NamedRun[], counted: Array<{ kind: ChangeKind; changes: number }>): string {
  const parts = counted.map(
    ({ kind, changes }) => `${changeKinds[kind].sentence.replace(/\.$/, '')} (${changes})`,
  );
  const skipped = runs.filter(({ status }) => status === 'skipped');
  const reasons = [...new Set(skipped.map(({ reason }) => (reason ?? 'unknown').replaceAll('_', ' ')))];
  if (skipped.length > 0)
    parts.push(`${skipped.length} ${skipped.length === 1 ? 'run' : 'runs'} skipped: ${reasons.join(', ')}`);
  return parts.length > 0 ? parts.join('; ') : 'no changes';
}
