import * as accounts from '../../db/accounts.ts';
import type { BatchType } from '../../schemas/batch.ts';
import { sendSamples } from '../../webhooks/test-delivery.ts';
import type { Context } from '../context.ts';

/** Sends samples to a receiver, signed as the account's real deliveries are. */
export async function testWebhook(context: Context, accountId: number, url: string, type?: BatchType) {
  const { db, box, config, policy, resolver, stopping: signal } = context;
  const secrets = await accounts.signingSecrets(db, box, accountId);
  const options = { baseUrl: config.web.baseUrl, retentionDays: config.retention.days, secrets };
  const sender = { policy, resolver, userAgent: config.checks.userAgent, signal };
  return sendSamples(url, type, options, sender);
}
