import { sonde } from './sonde.mjs';

// Creates a test token that ends in 30 days. Its answers are simulated and free. It is shown only once.
const expiresAt = new Date(Date.now() + 30 * 24 * 3600 * 1000).toISOString();
const { token } = await sonde('tokens', {
  name: 'Tests',
  scope: 'check',
  is_test: true,
  expires_at: expiresAt,
});
process.env.SONDE_TOKEN = token;
const me = await sonde('me');
console.log(me.token.name, me.token.scope, me.token.expires_at);
for (const host of ['status-404.example', 'soft404.example', 'silent.example']) {
  const { status, error, is_soft404 } = await sonde('http-status', { url: `https://${host}/` });
  console.log(host, status, error, is_soft404);
}
