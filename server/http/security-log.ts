import type { Request } from 'express';
import type { Log } from '../../process/log.ts';

/** What a line of the log says in its field `security`; docs/deployment/operations.md explains each. */
export type SecurityEvent = keyof typeof sentences;

const sentences = {
  signed_up: 'Somebody signed up',
  signed_in: 'Somebody signed in',
  sign_in_failed: 'A sign-in failed',
  tries_exhausted: 'There were too many tries',
  password_changed: 'A password was changed',
  password_reset: 'A password was reset by a mailed link',
  link_asked: 'A mail with a link was asked for',
  address_confirmed: 'An address was confirmed',
  address_changed: 'An address was changed',
  factor_added: 'A second factor was added',
  factor_removed: 'A second factor was removed',
  factor_refused: 'A second factor was wrong',
  recovery_code_used: 'A recovery code was used',
  password_refused: 'A password asked for once more was wrong',
  sessions_ended: 'All sessions of a user were ended',
  token_made: 'A token was made',
  token_revoked: 'A token was revoked',
  secret_rotated: 'A webhook secret was rotated',
  report_shared: 'A link to a report was made',
  report_revoked: 'A link to a report was revoked',
  account_deleted: 'An account was deleted',
};

const alarming: SecurityEvent[] = ['sign_in_failed', 'tries_exhausted', 'password_refused', 'factor_refused'];

/** Notes an event with the address it came from; `fields` hold ids, never a secret, an e-mail address or a password. */
export function noteSecurity(
  { log }: { log: Log },
  req: Request,
  event: SecurityEvent,
  fields: Partial<Record<'accountId' | 'userId' | 'tokenId', number>> = {},
): void {
  const level = alarming.includes(event) ? 'warn' : 'info';
  const requestId = req.res?.get('X-Request-Id');
  log.log(level, sentences[event], { security: event, address: req.ip, requestId, ...fields });
}
