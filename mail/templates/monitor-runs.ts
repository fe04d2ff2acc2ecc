import { find } from '../../db/accounts/user-addresses.ts';
import { countByRuns } from '../../db/monitors/changes.ts';
import { listNamed, type NamedRun } from '../../db/monitors/monitor-runs.ts';
import * as digests from '../../db/notifications/digests.ts';
import { closeDigest } from '../../db/notifications/mails.ts';
import { type ChangeKind, changeKinds } from '../../schemas/change-kinds.ts';
import { plainName } from '../clean.ts';
import type { Template } from '../template.ts';

const monitorsMax = 20;

/** To the owners of an account: what its monitors found in the runs since the last mail of this kind. */
export const monitorRuns: Template = {
  isUnasked: false,
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
    const left = byMonitor.length - monitorsMax;
    return {
      to: user.email,
      subject: changes > 0 ? 'Your monitors found changes' : 'Your monitors have news',
      parts: [
        {
          list: byMonitor.slice(0, monitorsMax).map(([monitorId, ofIt]) => {
            const said = saidOf(
              ofIt,
              counted.filter((told) => told.monitorId === monitorId),
            );
            return {
              text: `${plainName(ofIt[0]?.name ?? '')}: ${said}`,
              url: `${baseUrl}/monitors/${monitorId}`,
            };
          }),
        },
        ...(left > 0 ? [{ text: `And ${left} more.` }] : []),
        { button: { label: 'See the monitors', url: `${baseUrl}/monitors` } },
        {
          small: `${isDaily ? 'One mail a day' : 'At most one mail an hour'}. A monitor sends none when its settings say so.`,
        },
      ],
    };
  },
};

/** What the runs of one monitor came to, in one line. */
function saidOf(runs: NamedRun[], counted: Array<{ kind: ChangeKind; changes: number }>): string {
  const told = counted.map(
    ({ kind, changes }) => `${changeKinds[kind].sentence.replace(/\.$/, '')} (${changes})`,
  );
  const skipped = runs.filter(({ status }) => status === 'skipped');
  const reasons = [...new Set(skipped.map(({ reason }) => (reason ?? 'unknown').replaceAll('_', ' ')))];
  if (skipped.length > 0)
    told.push(`${skipped.length} ${skipped.length === 1 ? 'run' : 'runs'} skipped: ${reasons.join(', ')}`);
  return told.length > 0 ? told.join('; ') : 'nothing has changed';
}
