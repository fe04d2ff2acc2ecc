import type { Role } from '../../schemas/members.ts';
import type { Scope } from '../../schemas/scopes.ts';

/** Rights by operation of the API, independent of the code. The tests fail for an operation that is not listed. */
export const rightsOfOperations: Record<string, readonly [scope: Scope, role: Role]> = {
  ...all(
    ['check', 'member'],
    `
    checkIndex checkIndexBulk checkHttpStatus checkHttpStatusBulk trackKeywords cancelBatch retryBatch
    checkBatchAgain renameBatch testWebhook resendDelivery`,
  ),
  ...all(
    ['read', 'viewer'],
    `
    getCheck searchLocations listCitedDomains getBatch getResultsCsv getResultsXlsx getResultsNdjson listBatches compareBatch compareBatchCsv
    compareBatchXlsx exportChangesCsv exportChangesXlsx exportSubjectsCsv exportSubjectsXlsx exportPointsCsv
    exportPointsXlsx exportHistoryCsv exportHistoryXlsx getCredits
    getAllowance getCreditAlert getDigest listLedger listHistory getMe listMembers listMonitors getMonitor
    listMonitorRuns listAnnotations listChanges listSubjects listSeries listDeliveries getDelivery`,
  ),
  ...all(
    ['manage', 'owner'],
    `
    changeCreditAlert changeDigest inviteMember changeMember removeMember getWebhookSecret
    rotateWebhookSecret`,
  ),
  ...all(
    ['read', 'owner'],
    `
    listActivity`,
  ),
  ...all(
    ['manage', 'member'],
    `
    listTokens makeToken revokeToken createMonitor changeMonitor deleteMonitor pauseMonitor resumeMonitor
    runMonitor annotateMonitor deleteAnnotation`,
  ),
};

/** Rights by page of the dashboard. `anybody`: also without a session. */
export const rightsOfPages: Record<string, Role | 'anybody'> = {
  ...all(
    'anybody',
    `
    /assets/:hash/:name /favicon.ico / /sign-up /sign-in /start /forgot /reset /confirm /confirm-email
    /sign-in/link /sign-in/link/follow /sign-in/second /unsubscribe /report /report/logo /invitation`,
    'GET ',
  ),
  ...all(
    'member',
    `
    / /read /file /batches/:batch_id/cancel /batches/:batch_id/retry /batches/:batch_id/again
    /batches/:batch_id/rename /batches/:batch_id/share /batches/:batch_id/share/:link_id/revoke
    /submissions/:submission_id/cancel /submissions/:submission_id/rename /submissions/:submission_id/again
    /monitors/:monitor_id/pause /monitors/:monitor_id/resume /monitors/:monitor_id/run
    /monitors/:monitor_id/change /monitors/:monitor_id/plan /monitors/:monitor_id/delete /monitors/:monitor_id/annotations
    /monitors/:monitor_id/annotations/:annotation_id/delete /tokens /tokens/:token_id/revoke /webhooks/test
    /webhooks/:event_id/resend`,
    'POST ',
  ),
  ...all(
    'viewer',
    `
    /running /batches /batches/singles /batches/:batch_id /batches/:batch_id/live /batches/:batch_id/results
    /batches/:batch_id/results.csv /batches/:batch_id/results.ndjson /batches/:batch_id/results.xlsx
    /batches/:batch_id/report /batches/:batch_id/compare /batches/:batch_id/compare.csv
    /batches/:batch_id/compare.xlsx /history.csv /history.xlsx /submissions/:submission_id
    /submissions/:submission_id/live /submissions/:submission_id/results.csv
    /submissions/:submission_id/results.xlsx /submissions/:submission_id/results.ndjson /monitors
    /monitors/:monitor_id /monitors/:monitor_id/changes /monitors/:monitor_id/runs
    /monitors/:monitor_id/changes.csv /monitors/:monitor_id/changes.xlsx /monitors/:monitor_id/subjects.csv
    /monitors/:monitor_id/subjects.xlsx /monitors/:monitor_id/points.csv /monitors/:monitor_id/points.xlsx
    /monitors/:monitor_id/compare /monitors/:monitor_id/compare.csv /monitors/:monitor_id/compare.xlsx
    /monitors/:monitor_id/subjects /monitors/:monitor_id/subjects/:subject_id /ranks /ranks/checks /ranks/:site
    /ranks/:site/subjects.csv /ranks/:site/subjects.xlsx /ranks/:site/points.csv /ranks/:site/points.xlsx
    /checks/:request_id /address /credits /balance /webhooks /webhooks/:event_id /members /settings /settings/logo
    /settings/second-factor`,
    'GET ',
  ),
  ...all(
    'anybody',
    `
    /sign-up /sign-in /sign-out /forgot /reset /confirm /confirm-email /sign-in/link /sign-in/link/follow
    /sign-in/second /unsubscribe /invitation`,
    'POST ',
  ),
  ...all(
    'owner',
    `
    /monitors/digest /credits/alert /webhooks/rotate /members /members/invitations/:invitation_id/revoke
    /members/:member_id/role /members/:member_id/remove /settings/account /settings/logo /settings/delete`,
    'POST ',
  ),
  ...all(
    'member',
    `
    /tokens /locations`,
    'GET ',
  ),
  ...all(
    'viewer',
    `
    /members/leave /account /settings/password /settings/sessions /settings/sessions/:session_id/end
    /settings/confirm /settings/second-factor/app /settings/second-factor/app/confirm
    /settings/second-factor/passkey /settings/second-factor/passkey/confirm /settings/second-factor/codes
    /settings/second-factor/remove`,
    'POST ',
  ),
  ...all(
    'owner',
    `
    /activity /activity.csv`,
    'GET ',
  ),
};

function all<const T>(right: T, names: string, prefix = ''): Record<string, T> {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [prefix + name, right]),
  );
}
