import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import * as accounts from '../../db/accounts/accounts.ts';
import * as invitations from '../../db/accounts/invitations.ts';
import * as memberships from '../../db/accounts/memberships.ts';
import * as passkeys from '../../db/accounts/passkeys.ts';
import { hashKey, randomKey } from '../../db/accounts/random-key.ts';
import * as records from '../../db/accounts/second-factors.ts';
import * as sessions from '../../db/accounts/sessions.ts';
import * as tokens from '../../db/accounts/tokens.ts';
import * as users from '../../db/accounts/users.ts';
import * as reportLinks from '../../db/batches/report-links.ts';
import * as links from '../../db/notifications/mail-links.ts';
import { inTransaction } from '../../db/postgres/connect.ts';
import { createSecretBox } from '../../process/secret-box.ts';
import { createTotpSecret } from '../../server/dashboard/sign-in/totp.ts';
import { apiWrites, type Call } from './api-writes.ts';
import { fieldIn, visitAs } from './dashboard.ts';
import { secretKey, type TestService } from './service.ts';

/** A form of a page, without its token. */
export interface PageWrite {
  path: string;
  fields?: Record<string, string>;
  /** Sent as multipart/form-data. */
  isMultipart?: boolean;
  /** The body is a file. The fields are in the URL. */
  file?: string;
}

/** An account, and the user who sends the form. */
export interface Scene {
  service: TestService;
  accountId: number;
  userId: number;
  email: string;
  /** Calls the API, to prepare data. */
  call: Call;
}

const someone = 'http://127.0.0.1:1/';
const box = { text: 'https://indexed.example/', check: 'http', once: 'once' };
const findId = async ({ call }: Scene, of: string) =>
  (await (apiWrites[of] as NonNullable<(typeof apiWrites)[string]>)(call, async () => {}, nobody)).path;
const nobody = () => Promise.reject(new Error('nobody joins'));
const plain =
  (path: string, fields: Record<string, string> = {}) =>
  async (): Promise<PageWrite> => ({ path, fields });

async function newBatch(scene: Scene): Promise<string> {
  return (await findId(scene, 'cancelBatch')).split('/')[2] ?? '';
}

async function endedBatch(scene: Scene): Promise<string> {
  const id = await newBatch(scene);
  await scene.call(`/batch/${id}/cancel`, { method: 'POST' });
  return id;
}

async function newMonitor(scene: Scene): Promise<string> {
  return findId(scene, 'changeMonitor');
}

async function submission(scene: Scene, batchId: string): Promise<string> {
  await sql`update batches set submission_id = batch_id where account_id = ${scene.accountId}
    and batch_id = ${batchId}`.execute(scene.service.db);
  return `/submissions/${batchId}`;
}

/** Adds another user to the account. */
function other({ service, accountId }: Scene, role: 'owner' | 'member'): Promise<number> {
  const email = `other-${accountId}@example.com`;
  return users.create(service.db, { accountId, email, passwordHash: null, role });
}

async function invited({ service }: Scene, email: string) {
  const { accountId } = await service.account(0);
  return inTransaction(service.db, (trx) =>
    invitations.create(trx, { accountId, email, role: 'viewer', invitedBy: null }),
  );
}

/** Returns the token of a mailed link. */
async function mailLink({ db }: TestService, made: Omit<links.NewMailLink, 'lifeMinutes'>): Promise<string> {
  const token = randomKey();
  await inTransaction(db, async (trx) => {
    const linkId = await links.create(trx, { ...made, lifeMinutes: 60 });
    await links.setHash(trx, linkId, hashKey(token));
  });
  return token;
}

async function app({ service, userId }: Scene): Promise<string> {
  const secret = createTotpSecret();
  await records.addUnconfirmedTotp(service.db, createSecretBox(secretKey), userId, secret);
  return secret;
}

const generateCode = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

/** A form for every route of the dashboard that uses a session. */
export const pageWrites: Record<string, (scene: Scene) => Promise<PageWrite>> = {
  'POST /': async () => ({ path: '/', fields: box, isMultipart: true }),
  'POST /read': async () => ({ path: '/read', fields: box, isMultipart: true }),
  'POST /file': async ({ service, userId }) => {
    const { text, ...fields } = box;
    const client = await visitAs(service, userId);
    const file = { file_name: 'list.txt', file_bytes: Buffer.from(text).toString('base64') };
    const preview = await client.post('/', { check: 'read', ...file });
    return {
      path: '/file',
      fields: { ...fields, understood: fieldIn(preview.text, 'understood') },
      file: text,
    };
  },
  'POST /batches/:batch_id/cancel': async (scene) => ({ path: `/batches/${await newBatch(scene)}/cancel` }),
  'POST /batches/:batch_id/retry': async (scene) => ({ path: `/batches/${await endedBatch(scene)}/retry` }),
  'POST /batches/:batch_id/again': async (scene) => ({ path: `/batches/${await endedBatch(scene)}/again` }),
  'POST /batches/:batch_id/rename': async (scene) => ({
    path: `/batches/${await newBatch(scene)}/rename`,
    fields: { name: 'Renamed' },
  }),
  'POST /batches/:batch_id/share': async (scene) => ({
    path: `/batches/${await newBatch(scene)}/share`,
    fields: { days: '7' },
  }),
  'POST /batches/:batch_id/share/:link_id/revoke': async (scene) => {
    const ref = { accountId: scene.accountId, batchId: await newBatch(scene) };
    await reportLinks.create(scene.service.db, ref, 7);
    const [link] = await reportLinks.list(scene.service.db, ref);
    return { path: `/batches/${ref.batchId}/share/${link?.linkId}/revoke` };
  },
  'POST /submissions/:submission_id/cancel': async (scene) => ({
    path: `${await submission(scene, await newBatch(scene))}/cancel`,
  }),
  'POST /submissions/:submission_id/rename': async (scene) => ({
    path: `${await submission(scene, await newBatch(scene))}/rename`,
    fields: { name: 'Renamed' },
  }),
  'POST /submissions/:submission_id/again': async (scene) => ({
    path: `${await submission(scene, await endedBatch(scene))}/again`,
    fields: { once: 'once' },
  }),
  'POST /monitors/digest': plain('/monitors/digest', { every: 'day', at: '08:00', timezone: 'UTC' }),
  'POST /monitors/:monitor_id/pause': async (scene) => ({ path: `${await newMonitor(scene)}/pause` }),
  'POST /monitors/:monitor_id/resume': async (scene) => {
    const path = await newMonitor(scene);
    await scene.call(`${path}/pause`, { method: 'POST' });
    return { path: `${path}/resume` };
  },
  'POST /monitors/:monitor_id/run': async (scene) => ({
    path: `${await newMonitor(scene)}/run`,
    fields: { once: 'once' },
  }),
  'POST /monitors/:monitor_id/change': async (scene) => ({
    path: `${await newMonitor(scene)}/change`,
    fields: { name: 'Renamed', every: 'day', at: '08:00', timezone: 'UTC', when: 'changed' },
  }),
  'POST /monitors/:monitor_id/plan': async (scene) => ({
    path: `${await newMonitor(scene)}/plan`,
    fields: { every: 'day', at: '08:00', timezone: 'UTC', when: 'changed' },
  }),
  'POST /monitors/:monitor_id/delete': async (scene) => ({ path: `${await newMonitor(scene)}/delete` }),
  'POST /monitors/:monitor_id/annotations': async (scene) => ({
    path: `${await newMonitor(scene)}/annotations`,
    fields: { text: 'Launch', once: 'once' },
  }),
  'POST /monitors/:monitor_id/annotations/:annotation_id/delete': async (scene) => ({
    path: `${await findId(scene, 'deleteAnnotation')}/delete`,
  }),
  'POST /tokens': plain('/tokens', { name: 'crawl', scope: 'check' }),
  'POST /tokens/:token_id/revoke': async ({ service, accountId, userId }) => {
    await tokens.issue(service.db, accountId, 'to be revoked', { userId });
    const [newest] = await tokens.list(service.db, accountId);
    return { path: `/tokens/${newest?.tokenId}/revoke` };
  },
  'POST /credits/alert': plain('/credits/alert', { threshold: '5' }),
  'POST /webhooks/rotate': plain('/webhooks/rotate'),
  'POST /webhooks/test': plain('/webhooks/test', { url: someone }),
  'POST /webhooks/:event_id/resend': async (scene) => {
    const path = await findId(scene, 'resendDelivery');
    return { path: `/webhooks/${path.split('/')[3]}/resend` };
  },
  'POST /members': async ({ accountId }) => ({
    path: '/members',
    fields: { email: `grace-${accountId}@example.com`, role: 'member' },
  }),
  'POST /members/leave': async (scene) => {
    await other(scene, 'owner');
    return { path: '/members/leave' };
  },
  'POST /members/invitations/:invitation_id/revoke': async ({ service, accountId }) => {
    const asked = { accountId, email: 'hedy@example.com', role: 'viewer' as const, invitedBy: null };
    const { invitation } = await inTransaction(service.db, (trx) => invitations.create(trx, asked));
    return { path: `/members/invitations/${invitation.invitationId}/revoke` };
  },
  'POST /members/:member_id/role': async (scene) => ({
    path: `/members/${await other(scene, 'member')}/role`,
    fields: { role: 'viewer' },
  }),
  'POST /members/:member_id/remove': async (scene) => ({
    path: `/members/${await other(scene, 'member')}/remove`,
  }),
  'POST /account': async ({ service, userId }) => {
    const { accountId } = await service.account(0);
    await inTransaction(service.db, (trx) => memberships.add(trx, accountId, userId, 'viewer'));
    return { path: '/account', fields: { account: String(accountId) } };
  },
  'POST /confirm': async ({ service, userId }) => {
    const passwordHash = await users.hashPassword('correct horse');
    await sql`update users set email_confirmed_at = null, password_hash = ${passwordHash}
      where user_id = ${userId}`.execute(service.db);
    const token = await mailLink(service, { purpose: 'confirm', userId });
    return { path: '/confirm', fields: { token, password: 'correct horse' } };
  },
  'POST /confirm-email': async ({ service, userId }) => {
    const address = `new-${userId}@example.com`;
    const token = await mailLink(service, { purpose: 'new_email', userId, address });
    return { path: '/confirm-email', fields: { token } };
  },
  'POST /invitation': async (scene) => {
    const { key } = await invited(scene, scene.email);
    return { path: '/invitation', fields: { key } };
  },
  'POST /settings/account': plain('/settings/account', { name: 'Shop', timezone: 'Europe/Berlin' }),
  'POST /settings/logo': async ({ service, accountId }) => {
    await inTransaction(service.db, (trx) => accounts.setLogo(trx, accountId, Buffer.from('a logo')));
    return { path: '/settings/logo', fields: { remove: 'yes' }, isMultipart: true };
  },
  'POST /settings/password': plain('/settings/password', { new_password: 'correct horse' }),
  'POST /settings/sessions': plain('/settings/sessions'),
  'POST /settings/sessions/:session_id/end': async ({ service, userId }) => {
    const other = await sessions.begin(service.db, userId);
    const [one] = (await sessions.list(service.db, userId, other)).filter(({ isThis }) => isThis);
    return { path: `/settings/sessions/${one?.sessionId}/end` };
  },
  'POST /settings/confirm': plain('/settings/confirm'),
  'POST /settings/second-factor/app': plain('/settings/second-factor/app'),
  'POST /settings/second-factor/app/confirm': async (scene) => {
    const key = await app(scene);
    return { path: '/settings/second-factor/app/confirm', fields: { key, code: generateCode(key) } };
  },
  'POST /settings/second-factor/passkey': plain('/settings/second-factor/passkey'),
  'POST /settings/second-factor/passkey/confirm': async ({ service, userId }) => {
    await passkeys.setChallenge(service.db, userId, 'x'.repeat(43));
    return { path: '/settings/second-factor/passkey/confirm', fields: { credential: '{}' } };
  },
  'POST /settings/second-factor/codes': async (scene) => {
    await records.useTotpStep(scene.service.db, scene.userId, await findStep(scene));
    return { path: '/settings/second-factor/codes' };
  },
  'POST /settings/second-factor/remove': async (scene) => {
    await records.useTotpStep(scene.service.db, scene.userId, await findStep(scene));
    return { path: '/settings/second-factor/remove', fields: { which: 'app' } };
  },
  'POST /settings/delete': plain('/settings/delete'),
};

/** Adds an authenticator app. Returns its first step, which confirms it. */
async function findStep(scene: Scene): Promise<number> {
  await app(scene);
  return 1;
}
