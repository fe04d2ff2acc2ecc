import type { Express } from 'express';
import { createApp } from '../../server/app.ts';
import type { Context } from '../../server/context.ts';
import { createDashboardRouter } from '../../server/dashboard/app.ts';
import { createMetrics } from '../../server/http/metrics.ts';
import { silentLog } from './log.ts';
import type { TestService } from './service.ts';

export interface ApiRoute {
  method: string;
  /** The path as declared, under /api/v1: `/batch/:batch_id`. */
  path: string;
}

interface Layer {
  slash: boolean;
  match(path: string): boolean;
  handle: { stack?: Layer[] };
  route?: { path: string; stack: Array<{ method?: string }> };
}

/** Returns every route under /api/v1, from the router itself, so that none is missing. */
export function apiRoutes({ config, db }: TestService): ApiRoute[] {
  const app: Express = createApp({ config, db, log: silentLog, metrics: createMetrics() } as Context);
  const { stack } = app.router as unknown as { stack: Layer[] };
  return stack
    .filter((layer) => !layer.slash && layer.match('/api/v1/x') && !layer.match('/x'))
    .flatMap((layer) => layer.handle.stack ?? [])
    .flatMap(({ route }) => (route ? [route] : []))
    .flatMap(({ path, stack }) =>
      [...new Set(stack.flatMap(({ method }) => method ?? []))].map((method) => ({
        method: method.toUpperCase(),
        path,
      })),
    );
}

/** Returns every route of the dashboard, from its router, without those of the guide. */
export function pageRoutes({ config, db }: TestService): ApiRoute[] {
  const context = { config, db, log: silentLog, metrics: createMetrics() } as Context;
  const { stack } = createDashboardRouter(context) as unknown as { stack: Layer[] };
  return stack.flatMap(({ route }) => {
    const methods = new Set((route?.stack ?? []).map(({ method }) => method?.toUpperCase() ?? 'GET'));
    return route ? [...methods].map((method) => ({ method, path: route.path })) : [];
  });
}
