import type { Template } from './template.ts';
import { creditsLow } from './templates/credits-low.ts';
import { invitation } from './templates/invitation.ts';
import { addressTaken, confirm, newEmail, reset, signIn } from './templates/links.ts';
import { monitorRuns } from './templates/monitor-runs.ts';
import * as notices from './templates/notices.ts';

/** All templates, by the name that the database stores. */
export const templates = {
  reset,
  sign_in: signIn,
  confirm,
  address_taken: addressTaken,
  new_email: newEmail,
  email_changed: notices.emailChanged,
  account_deleted: notices.accountDeleted,
  password_changed: notices.passwordChanged,
  factor_added: notices.factorAdded,
  factor_removed: notices.factorRemoved,
  recovery_code_used: notices.recoveryCodeUsed,
  credits_low: creditsLow,
  invitation,
  monitor_runs: monitorRuns,
} as const satisfies Record<string, Template>;

export type TemplateName = keyof typeof templates;

export function findTemplate(name: string): Template | null {
  return (templates as Record<string, Template>)[name] ?? null;
}
