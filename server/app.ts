import { randomUUID } from 'node:crypto';
import express, { type Express } from 'express';
import helmet from 'helmet';
import { operations } from '../schemas/openapi.ts';
import { urlCheckTypes } from '../schemas/url-requests.ts';
import { annotationRoutes } from './api/annotations.ts';
import { batchRoutes } from './api/batches.ts';
import { checkAgainRoutes } from './api/check-again.ts';
import { checkRoutes } from './api/checks.ts';
import { comparisonRoutes } from './api/comparison.ts';
import { creditRoutes } from './api/credits.ts';
import { digestRoutes } from './api/digest.ts';
import { exportRoutes } from './api/exports.ts';
import { historyRoutes } from './api/history.ts';
import { searchLocations } from './api/locations.ts';
import { meRoutes } from './api/me.ts';
import { memberRoutes } from './api/members.ts';
import { monitorExportRoutes } from './api/monitor-exports.ts';
import { monitorHistoryRoutes } from './api/monitor-history.ts';
import { monitorRoutes } from './api/monitors.ts';
import { operationRoutes } from './api/operations.ts';
import { rankCheckRoutes } from './api/rank-check.ts';
import { tokenRoutes } from './api/tokens.ts';
import { urlCheckRoutes } from './api/url-checks.ts';
import { webhookRoutes } from './api/webhooks.ts';
import type { Context } from './context.ts';
import { createDashboardRouter } from './dashboard/app.ts';
import { authenticate } from './http/authenticate.ts';
import { compressText } from './http/compress.ts';
import { allowOrigins } from './http/cors.ts';
import { answerErrors, answerUnknownPath, methodNotAllowed } from './http/errors.ts';
import { requireRight } from './http/permit.ts';
import { readBody } from './http/read-body.ts';
import { limitAccounts, limitInvalidTokens } from './limits/limits.ts';
import { requireAllowance } from './limits/require-allowance.ts';

const apiRoot = '/api/v1';

export function createApp(context: Context): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('trust proxy', context.config.web.trustProxy);
  app.use(helmet({ strictTransportSecurity }), setRequestId, measureDuration(context), compressText());

  const service = operationRoutes(context);
  app.route('/healthz').get(service.health).all(methodNotAllowed('GET'));
  app.route('/readyz').get(service.readiness).all(methodNotAllowed('GET'));
  app.route('/metrics').get(service.metrics).all(methodNotAllowed('GET'));

  app.route('/openapi.json').get(service.document).all(methodNotAllowed('GET'));

  const { corsOrigins } = context.config.web;
  // CORS comes before authentication. A preflight has no token, and pages must be able to read errors.
  if (corsOrigins.length > 0) app.use(apiRoot, allowOrigins(corsOrigins));
  app.use(
    apiRoot,
    preventCaching,
    limitInvalidTokens(context),
    authenticate(context),
    limitAccounts(context),
    createApiRouter(context),
  );
  app.use(createDashboardRouter(context));
  app.use(answerUnknownPath, answerErrors(context));
  return app;
}

/** Serves the operations of the OpenAPI document. Each has a handler with the name of its `operationId`. */
function createApiRouter(context: Context): express.Router {
  const router = express.Router({ caseSensitive: true });
  const handlers: Record<string, express.RequestHandler> = {
    ...Object.assign({}, ...urlCheckTypes.map((type) => urlCheckRoutes(context, type))),
    ...rankCheckRoutes(context),
    searchLocations,
    ...checkRoutes(context),
    ...batchRoutes(context),
    ...exportRoutes(context),
    ...comparisonRoutes(context),
    ...checkAgainRoutes(context),
    ...monitorRoutes(context),
    ...monitorHistoryRoutes(context),
    ...monitorExportRoutes(context),
    ...annotationRoutes(context),
    ...digestRoutes(context),
    ...historyRoutes(context),
    ...creditRoutes(context),
    ...meRoutes(context),
    ...tokenRoutes(context),
    ...memberRoutes(context),
    ...webhookRoutes(context),
  };
  // Created once, because the limits of an account apply to all operations together.
  const receive = [requireAllowance(context), ...readBody(context)];
  const closed = operations.filter(({ isOpen }) => !isOpen);
  for (const [path, here] of Map.groupBy(closed, (operation) => operation.path)) {
    const route = router.route(path.slice(apiRoot.length).replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const operation of here) {
      const handler = handlers[operation.id];
      if (!handler) throw new Error(`the operation ${operation.id} has no handler`);
      route[operation.method](requireRight(operation), receive, handler);
    }
    route.all(methodNotAllowed(...here.map(({ method }) => method.toUpperCase())));
  }
  return router;
}

/** Responses belong to one account. Some contain secrets. */
const preventCaching: express.RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'private, no-store');
  next();
};

// Subdomains may need plain HTTP.
const strictTransportSecurity = { includeSubDomains: false };

const setRequestId: express.RequestHandler = (_req, res, next) => {
  res.set('X-Request-Id', randomUUID());
  next();
};

function measureDuration({ metrics }: Context): express.RequestHandler {
  return (req, res, next) => {
    const stop = metrics.requests.startTimer({ method: req.method });
    res.once('finish', () => {
      const route: unknown = req.route?.path;
      stop({ route: typeof route === 'string' ? route : 'none', status: String(res.statusCode) });
    });
    next();
  };
}
