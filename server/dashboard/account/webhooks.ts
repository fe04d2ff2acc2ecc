import type { Request, RequestHandler, Response } from 'express';
import { rotateSecret } from '../../../accounts/rotate-secret.ts';
import * as accounts from '../../../db/accounts/accounts.ts';
import { inOpenAccount } from '../../../db/accounts/open-account.ts';
import { listByIds } from '../../../db/batches/batch-lists.ts';
import * as deliveries from '../../../db/notifications/deliveries.ts';
import * as events from '../../../db/notifications/events.ts';
import type { FetchErrorCode } from '../../../net/fetch-error.ts';
import { parseUuid } from '../../../schemas/uuid.ts';
import { webhookEventNames } from '../../../schemas/webhook.ts';
import { resendDelivery } from '../../../webhooks/resend.ts';
import { testWebhook } from '../../../webhooks/test.ts';
import { requireTarget } from '../../api/targets.ts';
import { getWebhookTestDeps } from '../../context.ts';
import { notFound } from '../../http/errors.ts';
import { logSecurityEvent } from '../../http/security-log.ts';
import { toBatchView } from '../batches/batch-view.ts';
import type { DashboardContext } from '../context.ts';
import type { Tone } from '../evidence/shares.ts';
import { flashResult, setFlash } from '../flash.ts';
import { duration } from '../format.ts';
import { getForm } from '../forms.ts';
import { readPage } from '../paging.ts';
import { type Refusal, toRefusal } from '../refusal.ts';
import { showPage } from '../render.ts';
import { getActor, getAuthorization, getSession } from '../visitors.ts';

const perPage = 25;

export function webhookPages(context: DashboardContext) {
  const { db, secretBox } = context;

  const show: RequestHandler = (req, res) => list(req, res);

  async function list(req: Request, res: Response, refusal?: Refusal): Promise<void> {
    const { accountId, role } = getSession(req);
    const secrets = await accounts.findWebhookSecrets(db, secretBox, accountId);
    const { rows, pager } = await readPage(req, perPage, {
      count: (max) => deliveries.count(db, accountId, {}, max),
      list: (window) => deliveries.list(db, accountId, window),
    });
    const data = {
      isRevealed: req.query.secret === 'shown',
      // Only owners see the secrets, because anyone who knows a secret can forge deliveries.
      secrets: role === 'owner' ? secrets : null,
      testSecrets: role === 'owner' ? accounts.deriveTestSecrets(secrets) : null,
      url: refusal ? getForm(req).text('url') : '',
      event: refusal ? getForm(req).text('event') : '',
      eventNames: webhookEventNames,
      deliveries: await withSubjects(accountId, rows),
      pager,
    };
    await showPage(context, req, res, { view: 'webhooks', title: 'Webhooks', data, refusal });
  }

  const showDelivery: RequestHandler = async (req, res) => {
    const delivery = await requireDelivery(req);
    const [one] = await withSubjects(delivery.accountId, [delivery]);
    const data = { delivery: one, attempts: await deliveries.listAttempts(db, delivery), attemptWords };
    await showPage(context, req, res, { view: 'delivery', title: 'Delivery', data });
  };

  const resend: RequestHandler = async (req, res) => {
    const { accountId, eventId } = await requireDelivery(req);
    await flashResult(context, res, async () => {
      await inOpenAccount(db, getAuthorization(req), (trx) =>
        resendDelivery(trx, context, { accountId, eventId }),
      );
      return 'Resending now.';
    });
    res.redirect(303, `/webhooks/${eventId}`);
  };

  const rotate: RequestHandler = async (req, res) => {
    const { accountId } = getSession(req);
    try {
      await inOpenAccount(db, getAuthorization(req), (trx) =>
        rotateSecret(trx, context.secretBox, { accountId, by: getActor(req) }),
      );
    } catch (error) {
      setFlash(context, res, { tone: 'bad', text: toRefusal(error).message });
      return res.redirect(303, '/webhooks');
    }
    logSecurityEvent(context, req, 'secret_rotated', { accountId });
    const text = 'Secret rotated. For 24 hours, deliveries are signed with both secrets.';
    setFlash(context, res, { tone: 'good', text });
    res.redirect(303, '/webhooks?secret=shown');
  };

  const test: RequestHandler = async (req, res) => {
    const form = getForm(req);
    const url = form.text('url');
    const event = webhookEventNames.find((name) => name === form.text('event')) ?? 'batch.completed';
    const type = event === 'batch.completed' ? 'http' : undefined;
    try {
      requireTarget('url', url, context.policy);
      const [sent] = await testWebhook(getWebhookTestDeps(context), getAuthorization(req), {
        url,
        event,
        type,
      });
      const isGood = sent !== undefined && sent.status !== null && sent.status >= 200 && sent.status < 300;
      const took = duration(sent?.duration_ms ?? 0);
      const text = sent?.status
        ? `The receiver responded to the test with status ${sent.status} in ${took}.`
        : `The test was not delivered: ${attemptWords(sent?.error ?? null)} (after ${took}).`;
      setFlash(context, res, { tone: isGood ? 'good' : 'bad', text });
    } catch (error) {
      return list(req, res, toRefusal(error, { fields: ['url'] }));
    }
    res.redirect(303, '/webhooks');
  };

  async function requireDelivery(req: Request): Promise<deliveries.Delivery> {
    const missing = () => notFound('No delivery with this id in your account.');
    const eventId = parseUuid(req.params.event_id);
    const found = eventId && (await deliveries.find(db, { accountId: getSession(req).accountId, eventId }));
    if (!found) throw missing();
    return found;
  }

  async function withSubjects(accountId: number, rows: deliveries.Delivery[]) {
    const ids = rows.map(({ eventId }) => eventId);
    const [batches, monitors] = await Promise.all([
      listByIds(db, accountId, ids),
      events.listMonitors(db, accountId, ids),
    ]);
    const known = new Map<string, KnownSubject>([
      ...batches.map((row) => [row.batchId, toBatchView(row).name] as const),
      ...monitors.map((row) => [row.eventId, row] as const),
    ]);
    return rows.map((row) => ({
      ...row,
      ...labelState(row),
      subject: toSubject(row, known.get(row.eventId)),
    }));
  }

  return { show, showDelivery, resend, rotate, test };
}

/** The name of a batch, or the id and name of a monitor. */
type KnownSubject = string | { monitorId: string; name: string };

function toSubject(
  { event, eventId }: deliveries.Delivery,
  known: KnownSubject | undefined,
): { name: string; href: string | null } {
  if (event === 'batch.completed') return { name: String(known ?? eventId), href: `/batches/${eventId}` };
  if (event === 'credits.low') return { name: 'Low credits', href: '/credits' };
  if (typeof known !== 'object') return { name: 'Deleted monitor', href: null };
  return { name: known.name, href: `/monitors/${known.monitorId}` };
}

/** Labels the state of a delivery. After a resend, attempts before the resend are ignored. */
function labelState({ state, attempts, roundAttempts }: deliveries.Delivery): { word: string; tone: Tone } {
  if (state === 'delivered') return { word: 'Delivered', tone: 'good' };
  if (state === 'failed') return { word: 'Failed', tone: 'bad' };
  if (roundAttempts > 0) return { word: 'Failed, retry scheduled', tone: 'warn' };
  return { word: attempts > 0 ? 'Resending' : 'Pending', tone: 'info' };
}

function attemptWords(error: string | null): string {
  if (error === null) return 'No response';
  return errorWords[error as FetchErrorCode] ?? error.replaceAll('_', ' ');
}

const errorWords: Record<FetchErrorCode | 'no_signing_secret', string> = {
  dns_not_found: 'The host name does not exist',
  connect_refused: 'Connection refused',
  connect_timeout: 'Connection timed out',
  connection_reset: 'Connection reset',
  response_timeout: 'Response timed out',
  tls_error: 'TLS or certificate error',
  invalid_response: 'Invalid HTTP response',
  headers_too_large: 'Headers larger than 64 KiB',
  target_not_allowed: 'Private IP address or blocked port, not contacted',
  dns_failed: 'DNS lookup failed on our side',
  network_down: 'Our network was down',
  no_slot: 'Too many connections to this host',
  aborted: 'Canceled on our side',
  no_signing_secret: 'No signing secret',
};
