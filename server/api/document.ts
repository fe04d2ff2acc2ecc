import type { RequestHandler } from 'express';
import { version } from '../../config/config.ts';
import { openApiDocument } from '../../schemas/openapi.ts';
import type { Context } from '../context.ts';
import { lazily } from '../http/lazily.ts';

export function documentRoutes({ config }: Pick<Context, 'config'>) {
  const text = lazily(() => JSON.stringify(openApiDocument({ baseUrl: config.web.baseUrl, version })));
  const show: RequestHandler = (_req, res) => {
    // Tools and pages of other origins may read the document.
    res.set('Access-Control-Allow-Origin', '*').type('application/json').send(text());
  };
  return { show };
}
