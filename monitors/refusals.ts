import { ApiError } from '../process/api-error.ts';

/** The same for a monitor that is not there and for one that is another's. */
export function noMonitor(): ApiError {
  const message = 'No monitor with this id in your account. GET /api/v1/monitors lists them.';
  return new ApiError('not_found', message);
}

/** For whoever has as many as an account may have. */
export function tooManyMonitors(max: number): ApiError {
  return new ApiError('too_many_monitors', `An account has ${max} monitors at most. Delete one first.`);
}

/** The same for an annotation that is not there and for one of another monitor. */
export function noAnnotation(): ApiError {
  const message = 'No annotation with this id. GET /api/v1/monitors/{monitor_id}/annotations lists them.';
  return new ApiError('not_found', message);
}

/** The same of what is noted in the charts of one monitor. */
export function tooManyAnnotations(max: number): ApiError {
  return new ApiError('too_many_annotations', `A monitor has ${max} annotations at most. Delete one first.`);
}

/** For what has to wait until no run is at work. */
export function runInProgress(): ApiError {
  const message = 'A run of this monitor is at work. Ask again when it has finished.';
  return new ApiError('run_in_progress', message, { retryAfterSeconds: 30 });
}

/** For what would set a monitor going that has nothing left to check. */
export function monitorCompleted(): ApiError {
  const message = 'This monitor is completed: every address has left. Give it a list by PATCH first.';
  return new ApiError('monitor_completed', message);
}

/** Whoever was quicker by a moment changed what this is about. */
export function changedMeanwhile(): ApiError {
  const message = 'This monitor was changed at the same time. Try again.';
  return new ApiError('run_in_progress', message, { retryAfterSeconds: 1 });
}
