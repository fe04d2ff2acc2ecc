const at = '2026-11-20T09:41:05+00:00';

export const me = {
  success: true,
  account_id: 17,
  person: { email: 'ada@example.com', role: 'owner' },
  token: {
    token_id: 4,
    name: 'Nightly crawl',
    scope: 'check',
    expires_at: null,
    credits_per_month: 5000,
    credits_this_month: 1200,
    is_test: false,
  },
};

export const token = {
  token_id: 4,
  name: 'Nightly crawl',
  last_four: '4fQz',
  scope: 'check',
  is_test: false,
  made_by: 'ada@example.com',
  credits_per_month: 5000,
  created_at: at,
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
};

export const activity = {
  what: 'token_made',
  sentence: 'Created a token',
  about: 'Nightly crawl',
  email: 'ada@example.com',
  token_name: null,
  address: '203.0.113.7',
  created_at: at,
};

export const member = { member_id: 9, email: 'ada@example.com', role: 'owner', joined_at: at };

export const revokedAccess = {
  invitations: ['grace@example.com'],
  report_links: 2,
  tokens: 1,
  remaining_webhook_urls: 1,
};

export const invitation = {
  invitation_id: 3,
  email: 'grace@example.com',
  role: 'member',
  invited_by: 'ada@example.com',
  created_at: at,
  expires_at: '2026-11-27T09:41:05+00:00',
};
