import { ApiError } from '../process/api-error.ts';

/**
 * The same error for a missing monitor and for a monitor of another account. Callers cannot find out which ids exist.
 */
export function monitorNotFound(): ApiError {
  const message = 'No monitor with this id in your account. GET /api/v1/monitors lists your monitors.';
  return new ApiError('not_found', message);
}

export function tooManyMonitors(max: number): ApiError {
  return new ApiError(
    'too_many_monitors',
    `You have reached the limit of ${max} monitors. Delete a monitor first.`,
  );
}

export function listTooLong(entries: number, max: number): ApiError {
  const [had, allowed] = [entries, max].map((count) => count.toLocaleString('en'));
  return new ApiError(
    'validation_failed',
    `The list would have ${had} entries. The limit of this monitor is ${allowed}. Remove entries first.`,
  );
}

export function listTooLarge(): ApiError {
  const message =
    'The list with all its competitors is larger than 8 MiB. Create another monitor for these entries.';
  return new ApiError('validation_failed', message);
}

export function listFromSitemap(): ApiError {
  const message =
    'The list of this monitor comes from a sitemap. To add URLs, set a new list. The new list replaces the sitemap.';
  return new ApiError('validation_failed', message);
}

export function annotationNotFound(): ApiError {
  const message =
    'No note with this id in this monitor. GET /api/v1/monitors/{monitor_id}/annotations lists the notes.';
  return new ApiError('not_found', message);
}

export function tooManyAnnotations(max: number): ApiError {
  return new ApiError(
    'too_many_annotations',
    `This monitor has reached the limit of ${max} notes. Delete a note first.`,
  );
}

export function runInProgress(): ApiError {
  const message = 'A run of this monitor is in progress. Try again when it has finished.';
  return new ApiError('run_in_progress', message, { retryAfterSeconds: 30 });
}

export function monitorCompleted(): ApiError {
  const message = 'This monitor has no URLs left to check. Set a list with PATCH first.';
  return new ApiError('monitor_completed', message);
}

export function concurrentChange(): ApiError {
  const message = 'Another request has changed this monitor. Try again.';
  return new ApiError('run_in_progress', message, { retryAfterSeconds: 1 });
}
