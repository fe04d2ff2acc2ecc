import express, { type Request, type RequestHandler, type Router } from 'express';
import helmet from 'helmet';
import { sendHistory } from '../api/history.ts';
import { readLocale, type TableFormat } from '../api/results/export.ts';
import type { Context } from '../context.ts';
import { createDocsRouter } from '../docs/router.ts';
import { notFound } from '../http/errors.ts';
import { limitAccounts } from '../limits/limits.ts';
import { type AllowanceRule, requireFormAllowance } from '../limits/require-allowance.ts';
import { creditPages } from './account/credits.ts';
import { tokenPages } from './account/tokens.ts';
import { webhookPages } from './account/webhooks.ts';
import { sendAsset } from './assets.ts';
import { batchPages } from './batches/batch.ts';
import { batchActionPages } from './batches/batch-actions.ts';
import { batchListPages } from './batches/batches.ts';
import { reportPages } from './batches/report.ts';
import { sharingPages } from './batches/sharing.ts';
import { singleCheckPages } from './batches/single-checks.ts';
import { submissionPages } from './batches/submission.ts';
import { comparisonPages } from './comparison/comparison.ts';
import { createDashboardContext } from './context.ts';
import { showErrors } from './errors.ts';
import { readForm, readMultipartForm, readQueryForm } from './forms.ts';
import { addressPages } from './history/address.ts';
import { rankCheckPages } from './history/rank-check.ts';
import { rankPages } from './history/ranks.ts';
import { homePages } from './home.ts';
import { limitFiles, limitLists } from './intake/files.ts';
import { routeMonitors } from './monitors/monitor-routes.ts';
import { rankSitePage } from './monitors/rank-site.ts';
import { rankSitePages } from './monitors/rank-sites.ts';
import { factorPages } from './people/factors.ts';
import { memberPages } from './people/members.ts';
import { sessionPages } from './people/own-sessions.ts';
import { activityPages } from './people/people-activity.ts';
import { settingsPages } from './people/settings.ts';
import { emailLinkPages } from './sign-in/email-links.ts';
import { invitationPages } from './sign-in/invitation.ts';
import { linkRequestPages } from './sign-in/request-link.ts';
import { secondStepPages } from './sign-in/second-step.ts';
import { signInPages } from './sign-in/sign-in.ts';
import { unsubscribePages } from './sign-in/unsubscribe.ts';
import { findSession, getSession, loadSession, requireRole, requireSession } from './visitors.ts';

// 2,000 URLs of 2,048 characters and the other fields fit into it.
const intakeBytesMax = 4 * 1024 * 1024;

/** Routes of the dashboard. Its pages call the same functions as the API. */
export function createDashboardRouter(apiContext: Context): Router {
  const context = createDashboardContext(apiContext);
  const router = express.Router({ caseSensitive: true });
  const signIn = signInPages(context);
  const home = homePages(context);
  const batchList = batchListPages(context);
  const batch = batchPages(context);
  const secondVisit = batchActionPages(context);
  const comparison = comparisonPages(context);
  const report = reportPages(context);
  const sharing = sharingPages(context);
  const singles = singleCheckPages(context);
  const submission = submissionPages(context);
  const ranks = rankPages(context);
  const rankCheck = rankCheckPages(context);
  const rankSites = rankSitePages(context);
  const rankSite = rankSitePage(context);
  const address = addressPages(context);
  const tokens = tokenPages(context);
  const credits = creditPages(context);
  const webhooks = webhookPages(context);
  const settings = settingsPages(context);
  const ownSessions = sessionPages(context);
  const asking = linkRequestPages(context);
  const emailLinks = emailLinkPages(context);
  const second = secondStepPages(context);
  const factors = factorPages(context);
  const unsubscribe = unsubscribePages(context);
  const members = memberPages(context);
  const invitation = invitationPages(context);
  const activity = activityPages(context);

  const visitor = [protect, loadSession(context), limitMembers(context)];
  const viewer = [...visitor, requireSession, requireRole('viewer')];
  const member = [...viewer, requireRole('member')];
  const owner = [...viewer, requireRole('owner')];
  const form = readForm(context);
  const allowed = (rule?: AllowanceRule) => requireFormAllowance(context, accountOf, rule);
  const lists = limitLists();
  const intakeForm = readMultipartForm(context, intakeBytesMax);

  router.get('/assets/:hash/:name', sendAsset);
  router.get('/favicon.ico', (_req, res) => res.status(204).end());

  router.use(createDocsRouter(context, visitor));

  router.get('/', visitor, lists, home.show);
  router.post('/', member, lists, intakeForm, home.submit);
  router.post('/read', member, lists, intakeForm, home.read);
  router.post('/file', member, lists, limitFiles(), ...readQueryForm(context), home.file);
  router.get('/running', viewer, home.running);
  router.get('/locations', member, home.suggestLocations);

  router.route('/sign-up').get(visitor, signIn.showSignUp).post(visitor, form, signIn.signUp);
  router.route('/sign-in').get(visitor, signIn.showSignIn).post(visitor, form, signIn.signIn);
  router.post('/sign-out', visitor, form, signIn.signOut);
  router.get('/start', visitor, signIn.start);

  router.route('/forgot').get(visitor, asking.showForgot).post(visitor, form, asking.forgot);
  router.route('/reset').get(visitor, emailLinks.showReset).post(visitor, form, emailLinks.reset);
  router.route('/confirm').get(visitor, emailLinks.showConfirm).post(visitor, form, emailLinks.confirm);
  router
    .route('/confirm-email')
    .get(visitor, emailLinks.showConfirmEmail)
    .post(visitor, form, emailLinks.confirmEmail);
  router.route('/sign-in/link').get(visitor, asking.showLink).post(visitor, form, asking.link);
  router
    .route('/sign-in/link/follow')
    .get(visitor, emailLinks.showSignInBy)
    .post(visitor, form, emailLinks.signInBy);
  router.route('/sign-in/second').get(visitor, second.show).post(visitor, form, second.answer);
  router.route('/unsubscribe').get(visitor, unsubscribe.show).post(protect, unsubscribe.submit);

  router.get('/batches', viewer, batchList.show);
  router.get('/batches/singles', viewer, singles.show);
  router.get('/batches/:batch_id', viewer, batch.show);
  router.get('/batches/:batch_id/live', viewer, batch.live);
  router.get('/batches/:batch_id/results', viewer, batch.showResults);
  router.get('/batches/:batch_id/results.csv', viewer, batch.csv);
  router.get('/batches/:batch_id/results.ndjson', viewer, batch.ndjson);
  router.get('/batches/:batch_id/results.xlsx', viewer, batch.xlsx);
  router.post('/batches/:batch_id/cancel', member, form, allowed(), batch.cancel);
  router.post('/batches/:batch_id/retry', member, form, allowed(), batch.retry);

  router.post('/batches/:batch_id/again', member, form, allowed(), secondVisit.again);
  router.post('/batches/:batch_id/rename', member, form, allowed(), secondVisit.rename);
  router.get('/batches/:batch_id/report', viewer, report.own);
  router.post('/batches/:batch_id/share', member, form, allowed({ unbilledRows: 2 }), sharing.share);
  router.post('/batches/:batch_id/share/:link_id/revoke', member, form, sharing.revoke);
  router.get('/report', protect, report.shared);
  router.get('/report/logo', protect, report.sharedLogo);
  router.get('/batches/:batch_id/compare', viewer, comparison.showBatches);
  router.get('/monitors/:monitor_id/compare', viewer, comparison.showRuns);
  for (const ending of ['csv', 'xlsx'] as const) {
    router.get(`/batches/:batch_id/compare.${ending}`, viewer, comparison.exportBatches(ending));
    router.get(`/monitors/:monitor_id/compare.${ending}`, viewer, comparison.exportRuns(ending));
    router.get(`/history.${ending}`, viewer, historyExport(context, ending));
  }

  router.get('/submissions/:submission_id', viewer, submission.show);
  router.get('/submissions/:submission_id/live', viewer, submission.live);
  router.post('/submissions/:submission_id/cancel', member, form, allowed(), submission.cancel);

  for (const ending of ['csv', 'xlsx', 'ndjson'] as const) {
    router.get(`/submissions/:submission_id/results.${ending}`, viewer, submission[ending]);
  }
  router.post('/submissions/:submission_id/rename', member, form, allowed(), secondVisit.submissionRename);
  router.post('/submissions/:submission_id/again', member, form, allowed(), secondVisit.submissionAgain);

  routeMonitors(router, context, { viewer, member, owner, form, allowed });
  router.get('/ranks', viewer, rankSites.show);
  router.get('/ranks/checks', viewer, ranks.show);
  router.get('/ranks/:site', viewer, rankSite.show);
  for (const kind of ['subjects', 'points'] as const) {
    for (const ending of ['csv', 'xlsx'] as const)
      router.get(`/ranks/:site/${kind}.${ending}`, viewer, rankSite.exportAs(kind, ending));
  }
  router.get('/checks/:request_id', viewer, rankCheck.show);
  router.get('/address', viewer, address.show);
  router
    .route('/tokens')
    .get(member, tokens.show)
    .post(member, form, allowed({ unbilledRows: 3 }), tokens.create);
  router.post('/tokens/:token_id/revoke', member, form, tokens.revoke);
  router.get('/credits', viewer, credits.show);
  router.post('/credits/alert', owner, form, allowed({ unbilledRows: 1 }), credits.setAlert);
  router.get('/balance', viewer, credits.balance);

  router.get('/webhooks', viewer, webhooks.show);
  router.post('/webhooks/rotate', owner, form, allowed({ unbilledRows: 1 }), webhooks.rotate);
  router.post('/webhooks/test', member, form, allowed(), webhooks.test);
  router.get('/webhooks/:event_id', viewer, webhooks.showDelivery);
  router.post('/webhooks/:event_id/resend', member, form, allowed(), webhooks.resend);

  router
    .route('/members')
    .get(viewer, members.show)
    .post(owner, form, allowed({ unbilledRows: 3 }), members.invite);
  router.post('/members/leave', viewer, form, members.leave);
  router.post('/members/invitations/:invitation_id/revoke', owner, form, members.revoke);
  const role = allowed({ unbilledRows: 1, isAlwaysAllowed: true });
  router.post('/members/:member_id/role', owner, form, role, members.change);
  router.post('/members/:member_id/remove', owner, form, members.remove);
  router.post('/account', viewer, form, members.enterAccount);
  router.route('/invitation').get(visitor, invitation.show).post(visitor, form, invitation.accept);
  router.get('/activity', owner, activity.show);
  router.get('/activity.csv', owner, activity.csv);

  router.get('/settings', viewer, settings.show);
  router.post('/settings/password', viewer, form, settings.changePassword);
  router.post('/settings/sessions', viewer, form, ownSessions.endAll);
  router.post('/settings/sessions/:session_id/end', viewer, form, ownSessions.endOne);
  router.post('/settings/confirm', viewer, form, settings.sendConfirmation);
  router.get('/settings/second-factor', viewer, factors.show);
  router.post('/settings/second-factor/app', viewer, form, factors.beginApp);
  router.post('/settings/second-factor/app/confirm', viewer, form, factors.confirmApp);
  router.post('/settings/second-factor/passkey', viewer, form, factors.beginPasskey);
  router.post('/settings/second-factor/passkey/confirm', viewer, form, factors.confirmPasskey);
  router.post('/settings/second-factor/codes', viewer, form, factors.renewCodes);
  router.post('/settings/second-factor/remove', viewer, form, factors.remove);
  router.post('/settings/account', owner, form, settings.changeProfile);
  router
    .route('/settings/logo')
    .get(viewer, settings.showLogo)
    .post(owner, lists, intakeForm, settings.changeLogo);
  router.post('/settings/delete', owner, form, settings.deleteAccount);

  router.use(handleUnknownPath(visitor));
  router.use(forPages(showErrors(context)));
  return router;
}

function historyExport(context: Context, ending: TableFormat): RequestHandler {
  return (req, res) => {
    const choice = { ending, locale: readLocale(req), hasByteOrderMark: true };
    return sendHistory(context, req, res, getSession(req).accountId, choice);
  };
}

const contentSecurityPolicy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    // Pico uses a data: image for the arrow of a `<select>`.
    imgSrc: ["'self'", 'data:'],
    objectSrc: ["'none'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
  },
});

const accountOf = (req: Request) => getSession(req).accountId;

/** Counts page requests of signed-in users toward their account's API limit. Other visitors have limits per form. */
function limitMembers(context: Context): RequestHandler {
  const limit = limitAccounts(context, accountOf);
  return (req, res, next) => (findSession(req) ? limit(req, res, next) : next());
}

/** Sets security headers. Marks a request for a page, so that its errors are shown as pages. */
const protect: RequestHandler = (req, res, next) => {
  res.locals.isPage = true;
  // By default, helmet sets `no-referrer`. Browsers would then send our own forms with `Origin: null`.
  res.set('Referrer-Policy', 'same-origin');
  contentSecurityPolicy(req, res, next);
};

/** Shows an error page for an unknown path. Clients other than browsers get the API's JSON error. */
function handleUnknownPath(visitor: RequestHandler[]): Router {
  const router = express.Router();
  router.use((req, _res, next) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    const isForPeople = isRead && !req.path.startsWith('/api/') && req.accepts(['json', 'html']) === 'html';
    next(isForPeople ? undefined : 'router');
  });
  router.use(...visitor, () => {
    throw notFound('This page does not exist. Check the URL.');
  });
  return router;
}

/** Handles only errors of pages. The JSON error handler handles the other errors. */
function forPages(handler: express.ErrorRequestHandler): express.ErrorRequestHandler {
  return (error, req, res, next) => (res.locals.isPage ? handler(error, req, res, next) : next(error));
}
