import type { RequestHandler } from 'express';
import { version } from '../../config/config.ts';
import { openApiDocument } from '../../schemas/openapi.ts';
import type { Context } from '../context.ts';
import { lazily } from '../http/lazily.ts';
import { unchanging } from '../http/unchanging.ts';

export function documentRoutes({ config }: Pick<Context, 'config'>) {
  const text = lazily(() =>
    unchanging(Buffer.from(JSON.stringify(openApiDocument({ baseUrl: config.web.baseUrl, version })))),
  );
  const show: RequestHandler = (req, res) => {
    // Read by tools and pages of other origins; there is nothing secret in it.
    res.set('Access-Control-Allow-Origin', '*').type('application/json');
    return text().send(req, res);
  };
  return { show };
}
