import type { Answer, CallOptions } from './service.ts';

/** A valid request of an operation that writes. */
export type ApiWrite = { path: string; body: object };
export type PrepareWrite = (
  call: Call,
  spend: () => Promise<void>,
  join: () => Promise<number>,
) => Promise<ApiWrite>;
export type Call = (path: string, options?: CallOptions) => Promise<Answer>;

export const urls = ['https://indexed.example/1'];
const plain = (path: string, body: object) => async () => ({ path, body });
const newBatch = async (call: Call) => (await call('/check/bulk', { body: { urls } })).body.batch_id;

const monitor = { name: 'M', type: 'index', urls, schedule: { every: 'day' } };
const newMonitor = async (call: Call) =>
  `/monitors/${(await call('/monitors', { body: monitor })).body.monitor.monitor_id}`;

export const apiWrites: Record<string, PrepareWrite> = {
  checkIndex: plain('/check', { url: urls[0] }),
  checkIndexBulk: plain('/check/bulk', { urls }),
  checkHttpStatus: plain('/http-status', { url: 'http://nobody.invalid/' }),
  checkHttpStatusBulk: plain('/http-status/bulk', { urls }),
  trackKeywords: plain('/keyword-track', { queries: [{ url: 'rank-7.example', keyword: 'shoes' }] }),
  changeDigest: plain('/digest', { every: 'day' }),
  changeCreditAlert: plain('/credits/alert', { threshold: 500 }),
  cancelBatch: async (call) => ({ path: `/batch/${await newBatch(call)}/cancel`, body: {} }),
  inviteMember: plain('/members', { email: 'grace@example.com', role: 'member' }),
  changeMember: async (_call, _spend, join) => ({
    path: `/members/${await join()}`,
    body: { role: 'viewer' },
  }),
  removeMember: async (_call, _spend, join) => ({ path: `/members/${await join()}`, body: {} }),
  makeToken: plain('/tokens', { name: 'crawl' }),
  revokeToken: async (call) => {
    const { token_id: id } = (await call('/tokens', { body: { name: 'crawl' } })).body;
    return { path: `/tokens/${id}`, body: {} };
  },
  rotateWebhookSecret: plain('/webhooks/secret/rotate', {}),
  testWebhook: plain('/webhooks/test', { webhook_url: 'http://127.0.0.1:1/', type: 'http' }),
  resendDelivery: async (call) => {
    const body = { urls: ['none'], on_invalid: 'skip', webhook_url: 'http://127.0.0.1:1/' };
    const { batch_id: id } = (await call('/check/bulk', { body })).body;
    return { path: `/webhooks/deliveries/${id}/resend`, body: {} };
  },
  checkBatchAgain: async (call, spend) => {
    const id = await newBatch(call);
    await call(`/batch/${id}/cancel`, { method: 'POST' });
    await spend();
    return { path: `/batch/${id}/again`, body: {} };
  },
  renameBatch: async (call) => ({ path: `/batch/${await newBatch(call)}/rename`, body: { name: 'b' } }),
  retryBatch: async (call, spend) => {
    const id = await newBatch(call);
    await call(`/batch/${id}/cancel`, { method: 'POST' });
    await spend();
    return { path: `/batch/${id}/retry`, body: {} };
  },
  createMonitor: plain('/monitors', monitor),
  changeMonitor: async (call) => ({ path: await newMonitor(call), body: { name: 'N' } }),
  deleteMonitor: async (call) => ({ path: await newMonitor(call), body: {} }),
  pauseMonitor: async (call) => ({ path: `${await newMonitor(call)}/pause`, body: {} }),
  resumeMonitor: async (call) => ({ path: `${await newMonitor(call)}/resume`, body: {} }),
  annotateMonitor: async (call) => ({
    path: `${await newMonitor(call)}/annotations`,
    body: { text: 'Launch' },
  }),
  deleteAnnotation: async (call) => {
    const path = `${await newMonitor(call)}/annotations`;
    const { annotation } = (await call(path, { body: { text: 'Launch' } })).body;
    return { path: `${path}/${annotation.annotation_id}`, body: {} };
  },
  runMonitor: async (call) => ({ path: `${await newMonitor(call)}/run`, body: {} }),
};
