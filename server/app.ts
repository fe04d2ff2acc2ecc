import { randomUUID } from 'node:crypto';
import express, { type Express } from 'express';
import helmet from 'helmet';
import { checkTypes } from '../schemas/check-types.ts';
import { operations as documented } from '../schemas/openapi.ts';
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
import { monitorExportRoutes, monitorExports } from './api/monitor-exports.ts';
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
import { requireRights } from './http/permit.ts';
import { readBody } from './http/read-body.ts';
import { limitAccounts, limitInvalidTokens } from './limits/limits.ts';
import { requireAllowance } from './limits/require-allowance.ts';

export function createApp(context: Context): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('trust proxy', context.config.web.trustProxy);
  app.use(helmet({ strictTransportSecurity }), setRequestId, measureDuration(context), compressText());

  const operations = operationRoutes(context);
  app.route('/healthz').get(operations.health).all(methodNotAllowed('GET'));
  app.route('/readyz').get(operations.readiness).all(methodNotAllowed('GET'));
  app.route('/metrics').get(operations.metrics).all(methodNotAllowed('GET'));

  app.route('/openapi.json').get(operations.document).all(methodNotAllowed('GET'));

  const { corsOrigins } = context.config.web;
  // CORS comes before authentication. A preflight has no token, and pages must be able to read errors.
  if (corsOrigins.length > 0) app.use('/api/v1', allowOrigins(corsOrigins));
  app.use(
    '/api/v1',
    preventCaching,
    limitInvalidTokens(context),
    authenticate(context),
    limitAccounts(context),
    requireRights(documented),
    requireAllowance(context),
  );
  app.use('/api/v1', readBody(context), createApiRouter(context));
  app.use(createDashboardRouter(context));
  app.use(answerUnknownPath, answerErrors(context));
  return app;
}

function createApiRouter(context: Context): express.Router {
  const router = express.Router({ caseSensitive: true });
  const ranks = rankCheckRoutes(context);
  const earlierChecks = checkRoutes(context);
  const history = historyRoutes(context);
  const batches = batchRoutes(context);
  const exports = exportRoutes(context);
  const comparison = comparisonRoutes(context);
  const secondVisit = checkAgainRoutes(context);
  const monitorHistory = monitorHistoryRoutes(context);
  const monitorExport = monitorExportRoutes(context);
  const credits = creditRoutes(context);
  const webhooks = webhookRoutes(context);
  const me = meRoutes(context);
  const tokens = tokenRoutes(context);
  const members = memberRoutes(context);
  const digest = digestRoutes(context);
  const monitors = monitorRoutes(context);
  const annotations = annotationRoutes(context);

  // /check and /check/bulk, /http-status and /http-status/bulk
  for (const type of urlCheckTypes) {
    const { urlPath } = checkTypes[type];
    const checks = urlCheckRoutes(context, type);
    router.post(urlPath, checks.single);
    router.post(`${urlPath}/bulk`, checks.bulk);
  }
  router.post('/keyword-track', ranks.track);
  router.get('/locations', searchLocations);
  router.get('/checks/:request_id', earlierChecks.show);

  router.get('/batch/:batch_id', batches.show);
  router.get('/batch/:batch_id/results.csv', exports.csv);
  router.get('/batch/:batch_id/results.ndjson', exports.ndjson);
  router.get('/batch/:batch_id/results.xlsx', exports.xlsx);
  router.post('/batch/:batch_id/cancel', batches.cancel);
  router.post('/batch/:batch_id/retry', batches.retry);
  router.get('/batch/:batch_id/comparison', comparison.show);
  router.get('/batch/:batch_id/comparison.csv', comparison.csv);
  router.get('/batch/:batch_id/comparison.xlsx', comparison.xlsx);
  router.post('/batch/:batch_id/again', secondVisit.again);
  router.post('/batch/:batch_id/rename', secondVisit.rename);
  router.get('/batches', batches.list);

  router.get('/monitors/:monitor_id/changes', monitorHistory.listChanges);
  router.get('/monitors/:monitor_id/subjects', monitorHistory.listSubjects);
  router.get('/monitors/:monitor_id/sources', monitorHistory.listSources);
  router.get('/monitors/:monitor_id/series', monitorHistory.listSeries);
  for (const kind of monitorExports) {
    for (const ending of ['csv', 'xlsx'] as const) {
      router.get(`/monitors/:monitor_id/${kind}.${ending}`, monitorExport.exportAs(kind, ending));
    }
  }
  router.get('/monitors/:monitor_id/annotations', annotations.list);
  router.post('/monitors/:monitor_id/annotations', annotations.add);
  router.delete('/monitors/:monitor_id/annotations/:annotation_id', annotations.remove);
  router.get('/monitors', monitors.list);
  router.post('/monitors', monitors.create);
  router.get('/monitors/:monitor_id', monitors.show);
  router.patch('/monitors/:monitor_id', monitors.change);
  router.delete('/monitors/:monitor_id', monitors.remove);
  router.post('/monitors/:monitor_id/pause', monitors.pause);
  router.post('/monitors/:monitor_id/resume', monitors.resume);
  router.post('/monitors/:monitor_id/run', monitors.run);
  router.get('/monitors/:monitor_id/runs', monitors.listRuns);

  router.get('/digest', digest.show);
  router.patch('/digest', digest.change);

  router.get('/history', history.list);
  router.get('/history.csv', history.csv);
  router.get('/history.xlsx', history.xlsx);

  router.get('/credits', credits.balance);
  router.get('/credits/ledger', credits.ledger);
  router.get('/credits/alert', credits.showAlert);
  router.patch('/credits/alert', credits.changeAlert);
  router.get('/credits/allowance', credits.allowance);

  router.get('/me', me.show);
  router.get('/activity', me.activity);
  router.get('/tokens', tokens.list);
  router.post('/tokens', tokens.make);
  router.delete('/tokens/:token_id', tokens.revoke);

  router.get('/members', members.list);
  router.post('/members', members.invite);
  router.patch('/members/:member_id', members.change);
  router.delete('/members/:member_id', members.remove);

  router.get('/webhooks/secret', webhooks.secret);
  router.post('/webhooks/secret/rotate', webhooks.rotate);
  router.post('/webhooks/test', webhooks.test);
  router.get('/webhooks/deliveries', webhooks.list);
  router.get('/webhooks/deliveries/:batch_id', webhooks.show);
  router.post('/webhooks/deliveries/:batch_id/resend', webhooks.resend);
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
