import type { Allowance } from '../accounts/allowance.ts';
import * as accounts from '../db/accounts/accounts.ts';
import { checkRight } from '../db/accounts/open-account.ts';
import type { Authorization } from '../db/accounts/rights.ts';
import type { Db } from '../db/postgres/connect.ts';
import type { SecretBox } from '../process/secret-box.ts';
import { type CheckType, checkTypeNames } from '../schemas/check-types.ts';
import type { WebhookTested } from '../schemas/webhook.ts';
import type { PayloadOptions } from './payload.ts';
import { postSigned, type Sender } from './post.ts';
import { sampleMessage } from './samples.ts';

/** What a test needs of the process that makes it. */
export interface Tester {
  db: Db;
  box: SecretBox;
  sender: Sender;
  payload: Omit<PayloadOptions, 'items'>;
}

/** What a receiver is to be tried with: a sample of one type, or one of each. */
export interface WebhookTest {
  accountId: number;
  url: string;
  type?: CheckType;
  /** Asked for by a test token, and signed as its webhooks are. */
  isTest?: boolean;
}

/**
 * Sends signed samples right now and once, and returns what the receiver made of each. Each posts to a server of the
 * caller's choice, so it counts against the allowance. The caller's right is checked before, since the body may have
 * taken long; no transaction is open while it sends. Throws as `checkRight`.
 */
export async function test(
  tester: Tester & { allowance: Pick<Allowance, 'recordUnbilled'> },
  by: Authorization,
  asked: Omit<WebhookTest, 'accountId'>,
): Promise<WebhookTested['deliveries']> {
  const request = { ...asked, accountId: by.accountId };
  await checkRight(tester.db, by);
  // Before it sends, because a receiver may take long to answer.
  await tester.allowance.recordUnbilled(tester.db, by.accountId, { webhookTests: typesOf(request).length });
  return testByOperator(tester, request);
}

/** The same by the operator, who needs no leave. */
export async function testByOperator(
  { db, box, sender, payload }: Tester,
  request: WebhookTest,
): Promise<WebhookTested['deliveries']> {
  const secrets = await accounts.signingSecrets(db, box, request.accountId, {
    isTest: request.isTest ?? false,
  });
  const sent = typesOf(request).map(async (type) => {
    const message = sampleMessage(type, { ...payload, secrets });
    const posted = await postSigned(request.url, message, sender);
    const { status, error, durationMs } = posted ?? { status: null, error: 'aborted', durationMs: 0 };
    const delivered = status !== null && status >= 200 && status < 300;
    return { type, message_id: message.id, delivered, status, error, duration_ms: durationMs };
  });
  return Promise.all(sent);
}

function typesOf({ type }: WebhookTest): CheckType[] {
  return type ? [type] : checkTypeNames;
}
