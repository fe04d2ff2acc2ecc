import type { Request } from 'express';
import type { Log } from '../../process/log.ts';

/** Values of the log field `security`. docs/deployment/operations.md explains them. */
type SecurityEvent = keyof typeof sentences;

const sentences = {
  signed_up: 'User signed up',
  signed_in: 'User signed in',
  sign_in_failed: 'Sign-in failed',
  tries_exhausted: 'Too many attempts',
  password_changed: 'Password changed',
  password_reset: 'Password reset by an emailed link',
  link_asked: 'Emailed link requested',
  address_confirmed: 'Email address confirmed',
  address_changed: 'Email address changed',
  factor_added: 'Second factor added',
  factor_removed: 'Second factor removed',
  factor_refused: 'Wrong second factor',
  recovery_code_used: 'Recovery code used',
  password_refused: 'Wrong password at a confirmation',
  sessions_ended: 'All sessions of a user ended',
  token_made: 'Token created',
  token_revoked: 'Token revoked',
  secret_rotated: 'Webhook secret rotated',
  report_shared: 'Report link created',
  report_revoked: 'Report link revoked',
  account_deleted: 'Account deleted',
};

const alarming: SecurityEvent[] = ['sign_in_failed', 'tries_exhausted', 'password_refused', 'factor_refused'];

/** Logs a security event with the client's IP address. `fields` must have no secrets, email addresses or passwords. */
export function logSecurityEvent(
  { log }: { log: Log },
  req: Request,
  event: SecurityEvent,
  fields: Partial<Record<'accountId' | 'userId' | 'tokenId', number>> = {},
): void {
  const level = alarming.includes(event) ? 'warn' : 'info';
  const requestId = req.res?.get('X-Request-Id');
  log.log(level, sentences[event], { security: event, address: req.ip, requestId, ...fields });
}
