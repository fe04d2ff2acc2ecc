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
import { documentRoutes } from './api/document.ts';
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
import { limitAccounts, limitFailures } from './limits/limits.ts';
import { requireAllowance } from './limits/require-allowance.ts';

/** Creates the app of API and dashboard. It does not listen yet. */
export function createApp(context: Context): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('trust proxy', context.config.web.trustProxy);
  app.use(helmet({ strictTransportSecurity }), setRequestId, measureDuration(context), compressText());

  const operations = operationRoutes(context);
  app.route('/healthz').get(operations.health).all(methodNotAllowed('GET'));
  app.route('/readyz').get(operations.readiness).all(methodNotAllowed('GET'));
  app.route('/metrics').get(operations.metrics).all(methodNotAllowed('GET'));

  app.route('/openapi.json').get(documentRoutes(context).show).all(methodNotAllowed('GET'));

  const { corsOrigins } = context.config.web;
  // CORS comes before authentication. A preflight has no token, and pages must be able to read errors.
  if (corsOrigins.length > 0) app.use('/api/v1', allowOrigins(corsOrigins));
  app.use(
    '/api/v1',
    preventCaching,
    limitFailures(context),
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
    router.route(urlPath).post(checks.single).all(methodNotAllowed('POST'));
    router.route(`${urlPath}/bulk`).post(checks.bulk).all(methodNotAllowed('POST'));
  }
  router.route('/keyword-track').post(ranks.track).all(methodNotAllowed('POST'));
  router.route('/locations').get(searchLocations).all(methodNotAllowed('GET'));
  router.route('/checks/:request_id').get(earlierChecks.show).all(methodNotAllowed('GET'));

  router.route('/batch/:batch_id').get(batches.show).all(methodNotAllowed('GET'));
  router.route('/batch/:batch_id/results.csv').get(exports.csv).all(methodNotAllowed('GET'));
  router.route('/batch/:batch_id/results.ndjson').get(exports.ndjson).all(methodNotAllowed('GET'));
  router.route('/batch/:batch_id/results.xlsx').get(exports.xlsx).all(methodNotAllowed('GET'));
  router.route('/batch/:batch_id/cancel').post(batches.cancel).all(methodNotAllowed('POST'));
  router.route('/batch/:batch_id/retry').post(batches.retry).all(methodNotAllowed('POST'));
  router.route('/batch/:batch_id/comparison').get(comparison.show).all(methodNotAllowed('GET'));
  router.route('/batch/:batch_id/comparison.csv').get(comparison.csv).all(methodNotAllowed('GET'));
  router.route('/batch/:batch_id/comparison.xlsx').get(comparison.xlsx).all(methodNotAllowed('GET'));
  router.route('/batch/:batch_id/again').post(secondVisit.again).all(methodNotAllowed('POST'));
  router.route('/batch/:batch_id/rename').post(secondVisit.rename).all(methodNotAllowed('POST'));
  router.route('/batches').get(batches.list).all(methodNotAllowed('GET'));

  router.route('/monitors/:monitor_id/changes').get(monitorHistory.listChanges).all(methodNotAllowed('GET'));
  router
    .route('/monitors/:monitor_id/subjects')
    .get(monitorHistory.listSubjects)
    .all(methodNotAllowed('GET'));
  router.route('/monitors/:monitor_id/sources').get(monitorHistory.listSources).all(methodNotAllowed('GET'));
  router.route('/monitors/:monitor_id/series').get(monitorHistory.listSeries).all(methodNotAllowed('GET'));
  for (const kind of monitorExports) {
    for (const ending of ['csv', 'xlsx'] as const) {
      router
        .route(`/monitors/:monitor_id/${kind}.${ending}`)
        .get(monitorExport.exportAs(kind, ending))
        .all(methodNotAllowed('GET'));
    }
  }
  router
    .route('/monitors/:monitor_id/annotations')
    .get(annotations.list)
    .post(annotations.add)
    .all(methodNotAllowed('GET', 'POST'));
  router
    .route('/monitors/:monitor_id/annotations/:annotation_id')
    .delete(annotations.remove)
    .all(methodNotAllowed('DELETE'));
  router.route('/monitors').get(monitors.list).post(monitors.create).all(methodNotAllowed('GET', 'POST'));
  router
    .route('/monitors/:monitor_id')
    .get(monitors.show)
    .patch(monitors.change)
    .delete(monitors.remove)
    .all(methodNotAllowed('GET', 'PATCH', 'DELETE'));
  router.route('/monitors/:monitor_id/pause').post(monitors.pause).all(methodNotAllowed('POST'));
  router.route('/monitors/:monitor_id/resume').post(monitors.resume).all(methodNotAllowed('POST'));
  router.route('/monitors/:monitor_id/run').post(monitors.run).all(methodNotAllowed('POST'));
  router.route('/monitors/:monitor_id/runs').get(monitors.listRuns).all(methodNotAllowed('GET'));

  router.route('/digest').get(digest.show).patch(digest.change).all(methodNotAllowed('GET', 'PATCH'));

  router.route('/history').get(history.list).all(methodNotAllowed('GET'));
  router.route('/history.csv').get(history.csv).all(methodNotAllowed('GET'));
  router.route('/history.xlsx').get(history.xlsx).all(methodNotAllowed('GET'));

  router.route('/credits').get(credits.balance).all(methodNotAllowed('GET'));
  router.route('/credits/ledger').get(credits.ledger).all(methodNotAllowed('GET'));
  router
    .route('/credits/alert')
    .get(credits.showAlert)
    .patch(credits.changeAlert)
    .all(methodNotAllowed('GET', 'PATCH'));
  router.route('/credits/allowance').get(credits.allowance).all(methodNotAllowed('GET'));

  router.route('/me').get(me.show).all(methodNotAllowed('GET'));
  router.route('/activity').get(me.activity).all(methodNotAllowed('GET'));
  router.route('/tokens').get(tokens.list).post(tokens.make).all(methodNotAllowed('GET', 'POST'));
  router.route('/tokens/:token_id').delete(tokens.revoke).all(methodNotAllowed('DELETE'));

  router.route('/members').get(members.list).post(members.invite).all(methodNotAllowed('GET', 'POST'));
  router
    .route('/members/:member_id')
    .patch(members.change)
    .delete(members.remove)
    .all(methodNotAllowed('PATCH', 'DELETE'));

  router.route('/webhooks/secret').get(webhooks.secret).all(methodNotAllowed('GET'));
  router.route('/webhooks/secret/rotate').post(webhooks.rotate).all(methodNotAllowed('POST'));
  router.route('/webhooks/test').post(webhooks.test).all(methodNotAllowed('POST'));
  router.route('/webhooks/deliveries').get(webhooks.list).all(methodNotAllowed('GET'));
  router.route('/webhooks/deliveries/:batch_id').get(webhooks.show).all(methodNotAllowed('GET'));
  router.route('/webhooks/deliveries/:batch_id/resend').post(webhooks.resend).all(methodNotAllowed('POST'));
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
