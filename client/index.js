export { Sonde } from './src/client.js';
export { SondeError } from './src/errors.js';
export { verifyWebhook, WebhookVerificationError } from './src/webhook.js';
