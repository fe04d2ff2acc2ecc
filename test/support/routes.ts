import type { Express } from 'express';
import { createApp } from '../../server/app.ts';
import type { Context } from '../../server/context.ts';
import { dashboard } from '../../server/dashboard/app.ts';
import { createMetrics } from '../../server/http/metrics.ts';
import { silentLog } from './log.ts';
import type { TestService } from './service.ts';

export interface ApiRoute {
  method: string;
  /** As it was declared, under /api/v1: `/batch/:batch_id`. */
  path: string;
}

interface Layer {
  slash: boolean;
  match(path: string): boolean;
  handle: { stack?: Layer[] };
  route?: { path: string; stack: Array<{ method?: string }> };
}

/**
 * Every route under /api/v1, read off the router itself, so that none can be forgotten. Nothing is called.
 */
export function apiRoutes({ config, db }: TestService): ApiRoute[] {
  const app: Express = createApp({ config, db, log: silentLog, metrics: createMetrics() } as Context);
  const { stack } = app.router as unknown as { stack: Layer[] };
  return stack
    .filter((layer) => !layer.slash && layer.match('/api/v1/x') && !layer.match('/x'))
    .flatMap((layer) => layer.handle.stack ?? [])
    .flatMap(({ route }) => (route ? [route] : []))
    .flatMap(({ path, stack }) =>
      stack.flatMap(({ method }) => (method ? [{ method: method.toUpperCase(), path }] : [])),
    );
}

/** Every route of the dashboard, read off in the same way, without those of the guide. */
export function pageRoutes({ config, db }: TestService): ApiRoute[] {
  const context = { config, db, log: silentLog, metrics: createMetrics() } as Context;
  const { stack } = dashboard(context) as unknown as { stack: Layer[] };
  return stack.flatMap(({ route }) => {
    const methods = new Set((route?.stack ?? []).map(({ method }) => method?.toUpperCase() ?? 'GET'));
    return route ? [...methods].map((method) => ({ method, path: route.path })) : [];
  });
}
