import Type from 'typebox';

/** Actions in the activity list of an account, with a text for people. */
export const activities = {
  signed_up: 'Created the account',
  signed_in: 'Signed in',
  password_changed: 'Changed the password',
  address_confirmed: 'Confirmed the email address',
  address_changed: 'Changed the email address',
  factor_added: 'Added a second factor',
  factor_removed: 'Removed a second factor',
  recovery_codes_renewed: 'Created new recovery codes',
  recovery_code_used: 'Used a recovery code',
  sessions_ended: 'Ended sessions',
  token_made: 'Created a token',
  token_revoked: 'Revoked a token',
  secret_rotated: 'Rotated the webhook secret',
  report_shared: 'Shared a report',
  report_revoked: 'Revoked a link to a report',
  credits_granted: 'Granted credits',
  credits_adjusted: 'Adjusted credits',
  account_disabled: 'Disabled the account',
  account_enabled: 'Enabled the account',
  credit_alert_changed: 'Changed the low-credit alert',
  digest_changed: 'Changed the schedule of monitor emails',
  member_invited: 'Invited a member',
  invitation_revoked: 'Revoked an invitation',
  member_joined: 'Joined the account',
  member_role_changed: 'Changed a role',
  member_removed: 'Removed a member',
  member_left: 'Left the account',
} as const;

export type ActivityKind = keyof typeof activities;

export const ActivityEntry = Type.Object({
  what: Type.String({
    description: `One of ${Object.keys(activities).join(', ')}. More may be added.`,
  }),
  sentence: Type.String({ description: 'The action as text for people.' }),
  about: Type.Union([Type.String(), Type.Null()], {
    description:
      'Object of the action, such as an email address or a role; null if the action has no object.',
  }),
  email: Type.Union([Type.String(), Type.Null()], {
    description:
      'Email address of the person at the time of the action; null for the operator and for a token without a creator.',
  }),
  token_name: Type.Union([Type.String(), Type.Null()], {
    description: 'Token of the request; null for the dashboard.',
  }),
  address: Type.Union([Type.String(), Type.Null()], {
    description: 'IP address of the request; null if there was no request.',
  }),
  created_at: Type.String({ format: 'date-time' }),
});
