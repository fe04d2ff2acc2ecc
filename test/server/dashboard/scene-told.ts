import { randomUUID } from 'node:crypto';
import * as tokens from '../../../db/accounts/tokens.ts';
import * as alerts from '../../../db/ledger/credit-alerts.ts';
import * as annotations from '../../../db/monitors/annotations.ts';
import * as deliveries from '../../../db/notifications/deliveries.ts';
import * as events from '../../../db/notifications/events.ts';
import { inTransaction } from '../../../db/postgres/connect.ts';
import type { TestService } from '../../support/service.ts';

const dayMs = 86_400_000;

/** Ids of deliveries by what they tell of. */
export interface Told {
  monitor: string;
  credits: string;
}

/** What an account was told of besides batches, as it would be owed; and what it set up around it. */
export async function setTold({ db }: TestService, accountId: number, monitorId: string): Promise<Told> {
  const url = 'https://hooks.shop.example/sonde';
  const tell = (event: string, of: string | null) =>
    inTransaction(db, async (trx) => {
      const eventId = randomUUID();
      const messageId = `msg_${eventId}_${event.replace('.', '_')}`;
      const body = { event };
      const row = { accountId, messageId, eventId, event, monitorId: of, runId: null, isPaid: false, body };
      await events.create(trx, row);
      await deliveries.create(trx, { accountId, eventId, url, jobId: randomUUID() });
      return eventId;
    });
  const told = {
    monitor: await tell('monitor.changed', monitorId),
    credits: await tell('credits.low', null),
  };
  await inTransaction(db, async (trx) => {
    const note = (days: number, text: string) => {
      const at = new Date(Date.now() - days * dayMs);
      return annotations.add(trx, { accountId, monitorId }, { at, text, createdAt: at });
    };
    await note(120, 'Moved to the new shop system');
    await note(5, 'New template for categories');
    await alerts.change(trx, accountId, { threshold: 6000, url });
  });
  await tokens.issue(db, accountId, 'Trial', { isTest: true, scope: 'check' });
  await tokens.issue(db, accountId, 'Reports of the agency', { scope: 'read', creditsPerMonth: 20_000 });
  return told;
}
