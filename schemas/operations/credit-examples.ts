export const creditAlert = {
  success: true,
  threshold: 500,
  webhook_url: 'https://example.com/hooks/sonde',
  low_since: null,
  told_at: null,
};

export const creditsLow = {
  event: 'credits.low',
  credits: 498,
  threshold: 500,
  low_since: '2026-11-20T09:41:05+00:00',
  credits_url: 'https://sonde.example.com/credits',
};

export const digest = { success: true, every: 'day', at: '08:00', timezone: 'Europe/Berlin' };
