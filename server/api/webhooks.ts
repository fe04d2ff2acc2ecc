import type { RequestHandler } from 'express';
import * as accounts from '../../db/accounts.ts';
import { type Db, inTransaction, type Trx } from '../../db/connect.ts';
import * as deliveries from '../../db/deliveries.ts';
import { deliveryStates, type WebhookSecret, WebhookTestRequest } from '../../schemas/webhook.ts';
import { attemptBody, deliveryBody, timestamp } from '../../wire/bodies.ts';
import type { Context } from '../context.ts';
import { callerOf } from '../http/authenticate.ts';
import { batchCursor } from '../http/cursors.ts';
import { type ApiError, notFound } from '../http/errors.ts';
import { answerOnce } from '../http/idempotency.ts';
import { validatorFor } from '../http/validate.ts';
import { batchRefOf } from './batch-ref.ts';
import { readWord, sendPage } from './lists.ts';
import { refuseBadTarget } from './targets.ts';
import { testWebhook } from './test-webhook.ts';

const readTest = validatorFor(WebhookTestRequest);

export function webhookRoutes(context: Context) {
  const { db, boss, box, config } = context;

  const secret: RequestHandler = async (req, res) => {
    res.json(await secretBody(db, callerOf(req).accountId));
  };

  const rotate: RequestHandler = async (req, res) => {
    const { accountId } = callerOf(req);
    await answerOnce(context, req, res, (key) =>
      inTransaction(db, async (trx) => {
        await key.claim(trx);
        await accounts.rotateWebhookSecret(trx, box, accountId);
        const reply = { status: 200, body: await secretBody(trx, accountId) };
        await key.keep(trx, { reply });
        return reply;
      }),
    );
  };

  const test: RequestHandler = async (req, res) => {
    const { webhook_url: url, type } = readTest(req.body);
    refuseBadTarget('webhook_url', url, context.policy);
    const { accountId } = callerOf(req);
    await answerOnce(context, req, res, async (key) => {
      await context.allow(accountId, 'webhookTests');
      const sent = await testWebhook(context, accountId, url, type);
      const reply = { status: 200, body: { success: true, deliveries: sent } };
      // Only now, for a key taken before would stay taken if the process died while it sends.
      await inTransaction(db, async (trx) => {
        await key.claim(trx);
        await key.keep(trx, { reply });
      });
      return reply;
    });
  };

  const list: RequestHandler = async (req, res) => {
    const { accountId } = callerOf(req);
    const filter = { state: readWord(req, 'state', deliveryStates) };
    await sendPage(config, req, res, {
      cursor: batchCursor,
      count: (max) => deliveries.count(db, accountId, filter, max),
      list: (window) => deliveries.list(db, accountId, { ...filter, ...window }),
      toBody: deliveryBody,
    });
  };

  const show: RequestHandler = async (req, res) => {
    const ref = batchRefOf(req, noDelivery);
    const delivery = await deliveries.find(db, ref);
    if (!delivery) throw noDelivery();
    const attempts = await deliveries.attemptsOf(db, delivery);
    res.json({ success: true, ...deliveryBody(delivery), attempts: attempts.map(attemptBody) });
  };

  const resend: RequestHandler = async (req, res) => {
    const ref = batchRefOf(req, noDelivery);
    await answerOnce(context, req, res, async (key) => {
      await context.allow(ref.accountId, 'resends');
      return inTransaction(db, async (trx) => {
        await key.claim(trx);
        const delivery = await deliveries.resend(trx, boss, ref);
        if (!delivery) throw noDelivery();
        const body = { success: true, message: 'It is sent again now.', ...deliveryBody(delivery) };
        const reply = { status: 202, body };
        await key.keep(trx, { reply });
        return reply;
      });
    });
  };

  async function secretBody(from: Db | Trx, accountId: number): Promise<WebhookSecret> {
    const { current, previous } = await accounts.webhookSecrets(from, box, accountId);
    return {
      success: true,
      secret: current,
      previous_secret: previous?.secret ?? null,
      previous_expires_at: previous && timestamp(previous.expiresAt),
    };
  }

  return { secret, rotate, test, list, show, resend };
}

function noDelivery(): ApiError {
  return notFound(
    'No delivery of a batch with this id in your account. GET /api/v1/webhooks/deliveries lists them.',
  );
}
