import type { Request, RequestHandler } from 'express';
import { rotateSecret } from '../../accounts/rotate-secret.ts';
import * as accounts from '../../db/accounts/accounts.ts';
import { inOpenAccount } from '../../db/accounts/open-account.ts';
import type { Authorization } from '../../db/accounts/rights.ts';
import * as deliveries from '../../db/notifications/deliveries.ts';
import type { Db } from '../../db/postgres/connect.ts';
import { parseUuid } from '../../schemas/uuid.ts';
import { deliveryStates, type WebhookSecret, WebhookTestRequest } from '../../schemas/webhook.ts';
import { deliveryNotFound, resendDelivery } from '../../webhooks/resend.ts';
import { testWebhook, type WebhookTest } from '../../webhooks/test.ts';
import { attemptBody, deliveryBody, timestamp } from '../../wire/bodies.ts';
import { type Context, getWebhookTestDeps } from '../context.ts';
import { getActor, getCaller } from '../http/authenticate.ts';
import { deliveryCursor } from '../http/cursors.ts';
import { FieldErrorCollector } from '../http/errors.ts';
import {
  answerOnce,
  answerUnlessStored,
  claimKey,
  type IdempotencyKey,
  type IdempotentResult,
  storeAnswer,
} from '../http/idempotency.ts';
import { serializeReply } from '../http/reply.ts';
import { logSecurityEvent } from '../http/security-log.ts';
import { createValidator } from '../http/validate.ts';
import { unknownParameterWarnings } from '../http/warnings.ts';
import { sendPage } from './lists.ts';
import { readEnum } from './parameters.ts';
import { readTarget } from './targets.ts';

const readTest = createValidator(WebhookTestRequest);

export function webhookRoutes(context: Context) {
  const { db, secretBox, config } = context;

  const getWebhookSecret: RequestHandler = async (req, res) => {
    const { accountId, isTest } = getCaller(req);
    res.json(await secretBody(db, accountId, { isTest }));
  };

  const rotateWebhookSecret: RequestHandler = async (req, res) => {
    const { accountId } = getCaller(req);
    const rotated = await answerOnce(context, req, res, {
      run: async (trx) => {
        await rotateSecret(trx, secretBox, { accountId, by: getActor(req) });
        return secretBody(trx, accountId, { isTest: false });
      },
      toBody: (body) => body,
    });
    if (rotated) logSecurityEvent(context, req, 'secret_rotated', { accountId });
  };

  const sendTest: RequestHandler = async (req, res) => {
    const faults = new FieldErrorCollector();
    const { webhook_url: webhook, event, type } = readTest.collect(req.body, faults);
    if (type && event && event !== 'batch.completed')
      faults.add({ type: ['Only batch.completed has samples by type.'] });
    const target = webhook === undefined ? null : readTarget('webhook_url', webhook, context.policy, faults);
    faults.throwIfAny();
    const url = target?.href ?? '';
    const { isTest } = getCaller(req);
    await answerUnlessStored(context, req, res, (authorization, key) =>
      testOnce(authorization, key, { url, event, type, isTest }),
    );
  };

  async function testOnce(
    authorization: Authorization,
    key: IdempotencyKey | null,
    asked: Omit<WebhookTest, 'accountId'>,
  ): Promise<IdempotentResult<object>> {
    const sent = await testWebhook(getWebhookTestDeps(context), authorization, asked);
    const reply = serializeReply({ status: 200, body: { success: true, deliveries: sent } });
    if (key) {
      // The key is claimed after the test. If the process dies during the test, the key must stay free.
      await inOpenAccount(db, authorization, async (trx) => {
        await claimKey(trx, key);
        await storeAnswer(trx, secretBox, key, reply);
      });
    }
    return { result: sent, reply };
  }

  const listDeliveries: RequestHandler = async (req, res) => {
    const { accountId, isTest } = getCaller(req);
    const filter = { state: readEnum(req, 'state', deliveryStates), isTest };
    await sendPage(config, req, res, {
      cursor: deliveryCursor,
      count: (max) => deliveries.count(db, accountId, filter, max),
      list: (window) => deliveries.list(db, accountId, { ...filter, ...window }),
      toBody: deliveryBody,
    });
  };

  const getDelivery: RequestHandler = async (req, res) => {
    const delivery = await findDelivery(req);
    const made = await deliveries.listAttempts(db, delivery);
    const body = { ...deliveryBody(delivery), attempts: made.map(attemptBody) };
    res.json({ success: true, ...body, ...unknownParameterWarnings(req) });
  };

  const resend: RequestHandler = async (req, res) => {
    const ref = await findDeliveryRef(req);
    await answerOnce(context, req, res, {
      run: (trx) => resendDelivery(trx, context, ref),
      status: 202,
      toBody: (delivery) => ({ message: 'Resending now.', ...deliveryBody(delivery) }),
    });
  };

  async function findDelivery(req: Request): Promise<deliveries.Delivery> {
    const delivery = await deliveries.find(db, await findDeliveryRef(req));
    if (!delivery) throw deliveryNotFound();
    return delivery;
  }

  /** Returns the delivery in a path. The path contains the id of the event or the id of the message. */
  async function findDeliveryRef(req: Request): Promise<deliveries.DeliveryRef> {
    const { accountId, isTest } = getCaller(req);
    const id = String(req.params.batch_id).toLowerCase();
    const eventId = id.startsWith('msg_')
      ? (await deliveries.findByMessage(db, { accountId, messageId: id, isTest }))?.eventId
      : parseUuid(id);
    if (!eventId) throw deliveryNotFound();
    return { accountId, eventId, isTest };
  }

  async function secretBody(
    from: Db,
    accountId: number,
    { isTest }: { isTest: boolean },
  ): Promise<WebhookSecret> {
    const live = await accounts.findWebhookSecrets(from, secretBox, accountId);
    const { current, previous } = isTest ? accounts.deriveTestSecrets(live) : live;
    return {
      success: true,
      secret: current,
      previous_secret: previous?.secret ?? null,
      previous_expires_at: previous && timestamp(previous.expiresAt),
    };
  }

  return {
    getWebhookSecret,
    rotateWebhookSecret,
    testWebhook: sendTest,
    listDeliveries,
    getDelivery,
    resendDelivery: resend,
  };
}
