import type { Command } from 'commander';
import { uncountedAllowance } from '../accounts/allowance.ts';
import * as accounts from '../db/accounts/accounts.ts';
import * as deliveries from '../db/notifications/deliveries.ts';
import { inTransaction } from '../db/postgres/connect.ts';
import { createAddressPolicy } from '../net/address.ts';
import { createResolver } from '../net/resolver.ts';
import { parseTarget } from '../net/url.ts';
import { ApiError } from '../process/api-error.ts';
import { createSecretBox } from '../process/secret-box.ts';
import { type DeliveryState, deliveryStates } from '../schemas/webhook.ts';
import { resendDelivery } from '../webhooks/resend.ts';
import { testWebhookAsOperator } from '../webhooks/test.ts';
import { attemptBody, deliveryBody } from '../wire/bodies.ts';
import { withBoss } from './boss.ts';
import type { AdminContext, RunCommand } from './context.ts';
import { createEnumParser, parseBatchId, parseId } from './options.ts';

interface DeliveryOptions {
  account: number;
  batch: string;
}

const listMax = 100;

export function addWebhookCommands(program: Command, run: RunCommand): void {
  const webhook = program.command('webhook').description('webhook deliveries of batches');

  webhook
    .command('list')
    .description(`list the newest ${listMax} deliveries of an account, or the attempts for one batch`)
    .requiredOption('--account <id>', 'account id', parseId)
    .option('--state <state>', deliveryStates.join(', '), createEnumParser(deliveryStates))
    .option('--batch <id>', 'list the attempts for this batch', parseBatchId)
    .action(({ account, state, batch }: DeliveryOptions & { state?: DeliveryState }) =>
      run(async ({ db }) => {
        if (batch) return listAttempts(db, { accountId: account, eventId: batch });
        return (await deliveries.list(db, account, { state, limit: listMax })).map(deliveryBody);
      }),
    );

  webhook
    .command('redeliver')
    .description('resend a delivery now and restart its retry schedule')
    .requiredOption('--account <id>', 'account id', parseId)
    .requiredOption('--batch <id>', 'batch id', parseBatchId)
    .action(({ account, batch }: DeliveryOptions) =>
      run((context) => redeliver(context, { accountId: account, eventId: batch })),
    );

  webhook
    .command('test')
    .description('send a signed sample of each type to a URL')
    .requiredOption('--account <id>', 'account whose secret signs', parseId)
    .requiredOption('--url <url>', 'URL of the receiver')
    .action(({ account, url }: { account: number; url: string }) =>
      run((context) => test(context, account, url)),
    );
}

async function listAttempts(db: AdminContext['db'], ref: deliveries.DeliveryRef) {
  if (!(await deliveries.find(db, ref))) throw noDelivery(ref);
  return (await deliveries.listAttempts(db, ref)).map(attemptBody);
}

async function redeliver(context: AdminContext, ref: deliveries.DeliveryRef) {
  try {
    return deliveryBody(
      await withBoss(context, (boss) =>
        inTransaction(context.db, (trx) => resendDelivery(trx, { boss, allowance: uncountedAllowance }, ref)),
      ),
    );
  } catch (error) {
    throw error instanceof ApiError ? noDelivery(ref) : error;
  }
}

async function test({ db, config }: AdminContext, accountId: number, url: string) {
  if (!(await accounts.exists(db, accountId))) throw new Error(`Account ${accountId} does not exist.`);
  const { userAgent, allowCidrs, dnsServers } = config.checks;
  const policy = createAddressPolicy(allowCidrs);
  const { problem } = parseTarget(url, policy);
  if (problem) throw new Error(problem);
  const { signal } = new AbortController();
  const sender = { policy, resolver: createResolver(dnsServers), userAgent, signal };
  const secretBox = createSecretBox(config.secretKey, config.previousSecretKey);
  const tester = { db, secretBox, sender, baseUrl: config.web.baseUrl };
  return testWebhookAsOperator(tester, { accountId, url });
}

function noDelivery({ accountId, eventId }: deliveries.DeliveryRef): Error {
  return new Error(`Account ${accountId} has no delivery of batch ${eventId}.`);
}
