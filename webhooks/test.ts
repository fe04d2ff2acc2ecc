import { randomUUID } from 'node:crypto';
import type { Allowance } from '../accounts/allowance.ts';
import * as accounts from '../db/accounts/accounts.ts';
import { checkRight } from '../db/accounts/open-account.ts';
import type { Authorization } from '../db/accounts/rights.ts';
import type { Db } from '../db/postgres/connect.ts';
import type { SecretBox } from '../process/secret-box.ts';
import { type CheckType, checkTypeNames } from '../schemas/check-types.ts';
import { createPayload } from '../schemas/operations/examples.ts';
import { monitorWebhookEvents } from '../schemas/operations/monitor-events.ts';
import { webhookEvents } from '../schemas/operations/webhooks.ts';
import type { WebhookEventName, WebhookTestResponse } from '../schemas/webhook.ts';
import { type PostOptions, postSigned } from './post.ts';

export interface WebhookTestDeps {
  db: Db;
  secretBox: SecretBox;
  sender: PostOptions;
  baseUrl: string;
}

/** A test of a receiver with samples of an event. */
export interface WebhookTest {
  accountId: number;
  url: string;
  /** Default: `batch.completed`. */
  event?: WebhookEventName;
  /** Only for `batch.completed`. Default: each type. */
  type?: CheckType;
  /** True for a test token. Its webhooks are signed with a separate secret. */
  isTest?: boolean;
}

/**
 * Sends each signed sample once, outside of a transaction. Returns the receiver's responses. Samples count against the
 * allowance. Checks the caller's right again, because the right may have been revoked while the request body was read.
 * Throws the errors of `checkRight`.
 */
export async function testWebhook(
  tester: WebhookTestDeps & { allowance: Pick<Allowance, 'recordUnbilled'> },
  by: Authorization,
  requested: Omit<WebhookTest, 'accountId'>,
): Promise<WebhookTestResponse['deliveries']> {
  const request = { ...requested, accountId: by.accountId };
  await checkRight(tester.db, by);
  // The samples are counted before they are sent, because a receiver may take long to respond.
  await tester.allowance.recordUnbilled(tester.db, by.accountId, {
    webhookTests: listSamples(request).length,
  });
  return testWebhookAsOperator(tester, request);
}

/** Sends the samples for the operator. No right is checked, and nothing counts against the allowance. */
export async function testWebhookAsOperator(
  { db, secretBox, sender, baseUrl }: WebhookTestDeps,
  request: WebhookTest,
): Promise<WebhookTestResponse['deliveries']> {
  const secrets = await accounts.findSigningSecrets(db, secretBox, request.accountId, {
    isTest: request.isTest ?? false,
  });
  const sent = listSamples(request).map(async ({ event, type, body }) => {
    const id = `msg_test_${randomUUID()}`;
    const json = JSON.stringify({ ...body, test: true });
    const payload = json.replaceAll('https://sonde.example.com', baseUrl);
    const posted = await postSigned(request.url, { id, payload, secrets }, sender);
    const { status, error, durationMs } = posted ?? { status: null, error: 'aborted', durationMs: 0 };
    const delivered = status !== null && status >= 200 && status < 300;
    return { event, type, message_id: id, delivered, status, error, duration_ms: durationMs };
  });
  return Promise.all(sent);
}

interface Sample {
  event: WebhookEventName;
  /** Set if the event is `batch.completed`; otherwise null. */
  type: CheckType | null;
  /** The example of the OpenAPI document. */
  body: object | undefined;
}

function listSamples({ event = 'batch.completed', type }: WebhookTest): Sample[] {
  if (event === 'batch.completed') {
    return (type ? [type] : checkTypeNames).map((one) => ({ event, type: one, body: createPayload(one) }));
  }
  const examples = [...monitorWebhookEvents, ...webhookEvents].map(({ example }) => example);
  const body = examples.find((example) => 'event' in example && example.event === event);
  return [{ event, type: null, body }];
}
