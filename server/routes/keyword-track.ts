import type { RequestHandler } from 'express';
import { KeywordRequest } from '../../schemas/keyword.ts';
import type { Context } from '../context.ts';
import { refuseWithoutProvider } from '../search-provider.ts';
import { refuseBadTarget } from '../targets.ts';
import { validatorFor } from '../validate.ts';

const readRequest = validatorFor(KeywordRequest, { list: 'queries' });

export function keywordRoutes(context: Context) {
  const track: RequestHandler = async (req) => {
    const { webhook_url: webhookUrl } = readRequest(req.body);
    if (webhookUrl) refuseBadTarget('webhook_url', webhookUrl, context.policy);
    refuseWithoutProvider();
  };
  return { track };
}
