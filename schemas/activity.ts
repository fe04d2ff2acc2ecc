import Type from 'typebox';

/** What people and programs do in an account that its list of activity tells, each as a sentence. */
export const activities = {
  signed_up: 'Opened the account',
  signed_in: 'Signed in',
  password_changed: 'Changed the password',
  address_confirmed: 'Confirmed the address to sign in with',
  address_changed: 'Changed the address to sign in with',
  factor_added: 'Added a second factor',
  factor_removed: 'Removed a second factor',
  recovery_codes_renewed: 'Made new recovery codes',
  recovery_code_used: 'Used a recovery code',
  sessions_ended: 'Ended sessions',
  token_made: 'Made a token',
  token_revoked: 'Revoked a token',
  secret_rotated: 'Rotated the webhook secret',
  report_shared: 'Shared a report',
  report_revoked: 'Revoked a link to a report',
  credits_granted: 'Granted credits',
  credits_adjusted: 'Adjusted credits',
  account_disabled: 'Disabled the account',
  account_enabled: 'Enabled the account',
  credit_alert_changed: 'Changed when low credits are told',
  digest_changed: 'Changed when mails about monitors come',
  member_invited: 'Invited somebody',
  invitation_revoked: 'Took an invitation back',
  member_joined: 'Joined the account',
  member_role_changed: 'Changed a role',
  member_removed: 'Removed a member',
  member_left: 'Left the account',
} as const;

export type ActivityWord = keyof typeof activities;

/** An entry of the list of activity. */
export const ActivityEntry = Type.Object({
  what: Type.String({
    description: `One of ${Object.keys(activities).join(', ')}; more may come.`,
  }),
  sentence: Type.String({ description: 'The same for people.' }),
  about: Type.Union([Type.String(), Type.Null()], {
    description:
      'What it was done to: an address, the name of a token, a role; null when nothing needs naming.',
  }),
  email: Type.Union([Type.String(), Type.Null()], {
    description:
      'Whose act it was, by the address of then; null for the operator, and for a token of nobody.',
  }),
  token_name: Type.Union([Type.String(), Type.Null()], {
    description: 'The token that it was done with; null for what was done in the dashboard.',
  }),
  address: Type.Union([Type.String(), Type.Null()], {
    description: 'The network address it came from; null when it came from none.',
  }),
  created_at: Type.String({ format: 'date-time' }),
});
