import { readLines } from './ndjson.js';
import { defaultBaseUrl, pause, request } from './request.js';

const bulkPaths = { index: '/check/bulk', http: '/http-status/bulk' };

/** Client of a Sonde service. */
export class Sonde {
  #options;

  constructor({ token, baseUrl = defaultBaseUrl, retries = 4, fetch = globalThis.fetch } = {}) {
    if (!token) throw new TypeError('The token is missing. Create one in the dashboard under Tokens.');
    this.#options = { token, baseUrl: baseUrl.replace(/\/+$/, ''), retries, fetch };
  }

  checkIndex(url, { include, ...options } = {}) {
    return this.#post(`/check${toIncludeQuery(include)}`, { url }, options);
  }

  checkHttpStatus(url, { followRedirects, userAgent, ...options } = {}) {
    const body = { url, follow_redirects: followRedirects, user_agent: userAgent };
    return this.#post('/http-status', body, options);
  }

  rank(query, { include, ...options } = {}) {
    return this.#post(`/keyword-track${toIncludeQuery(include)}`, { queries: [query] }, options);
  }

  submit(
    type,
    entries,
    { reference, submissionId, webhookUrl, dedupe, onInvalid, followRedirects, userAgent, ...options } = {},
  ) {
    const common = {
      reference,
      submission_id: submissionId,
      webhook_url: webhookUrl,
      dedupe,
      on_invalid: onInvalid,
    };
    if (type === 'keyword') return this.#post('/keyword-track', { queries: entries, ...common }, options);
    return this.#post(
      bulkPaths[type],
      { urls: entries, follow_redirects: followRedirects, user_agent: userAgent, ...common },
      options,
    );
  }

  async locations(text, { country, ...options } = {}) {
    const query = new URLSearchParams({ q: text, ...(country === undefined ? {} : { country }) });
    return (await this.#get(`/locations?${query}`, options)).data;
  }

  batch(batchId, { results = 'none', waitSeconds = 0, ...options } = {}) {
    const query = new URLSearchParams({
      ...(results === 'all' ? {} : { results }),
      ...(waitSeconds > 0 ? { wait: String(waitSeconds) } : {}),
    });
    return this.#get(`${batchPath(batchId)}?${query}`, options);
  }

  async ended(batchId, { onProgress, intervalMs = 2000, signal } = {}) {
    // With `onProgress`, the batch is polled. Otherwise, the service holds its response until the batch ends.
    const waitSeconds = onProgress ? 0 : 20;
    while (true) {
      const batch = await this.batch(batchId, { waitSeconds, signal });
      onProgress?.(batch);
      if (batch.completed_at !== null) return batch;
      if (onProgress) await pause(intervalMs, signal);
    }
  }

  async *results(batchId, { include, signal } = {}) {
    const path = `${batchPath(batchId)}/results.ndjson${toIncludeQuery(include)}`;
    const response = await request(this.#options, path, { signal });
    for await (const line of readLines(response.body)) yield JSON.parse(line);
  }

  cancel(batchId, options) {
    return this.#post(`${batchPath(batchId)}/cancel`, undefined, options);
  }

  retry(batchId, options) {
    return this.#post(`${batchPath(batchId)}/retry`, undefined, options);
  }

  again(batchId, { type, show, search, requestIds, ...options } = {}) {
    const body = { type, show, q: search, request_ids: requestIds };
    return this.#post(`${batchPath(batchId)}/again`, body, options);
  }

  compare(batchId, { with: other, change, page, ...options } = {}) {
    const given = Object.entries({ with: other, change, page }).filter(([, value]) => value !== undefined);
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    return this.#get(`${batchPath(batchId)}/comparison?${query}`, options);
  }

  rename(batchId, name, options) {
    return this.#post(`${batchPath(batchId)}/rename`, { name }, options);
  }

  async credits(options) {
    return (await this.#get('/credits', options)).credits;
  }

  creditAlert(options) {
    return this.#get('/credits/alert', options);
  }

  changeCreditAlert({ threshold, webhookUrl, ...options } = {}) {
    return this.#send('PATCH', '/credits/alert', { threshold, webhook_url: webhookUrl }, options);
  }

  digest(options) {
    return this.#get('/digest', options);
  }

  changeDigest({ every, at, timezone, ...options } = {}) {
    return this.#send('PATCH', '/digest', { every, at, timezone }, options);
  }

  batches(filter, options) {
    return this.#list('/batches', filter, options);
  }

  history(filter, options) {
    return this.#list('/history', filter, options);
  }

  ledger(options) {
    return this.#list('/credits/ledger', {}, options);
  }

  me(options) {
    return this.#get('/me', options);
  }

  async tokens(options) {
    return (await this.#get('/tokens', options)).data;
  }

  makeToken({ name, scope, expiresAt, creditsPerMonth, isTest, ...options }) {
    const body = { name, scope, expires_at: expiresAt, credits_per_month: creditsPerMonth, is_test: isTest };
    return this.#post('/tokens', body, options);
  }

  revokeToken(tokenId, options) {
    return this.#send('DELETE', `/tokens/${tokenId}`, undefined, options);
  }

  members(options) {
    return this.#get('/members', options);
  }

  invite(email, role, options) {
    return this.#post('/members', { email, role }, options);
  }

  changeRole(memberId, role, options) {
    return this.#send('PATCH', `/members/${memberId}`, { role }, options);
  }

  removeMember(memberId, options) {
    return this.#send('DELETE', `/members/${memberId}`, undefined, options);
  }

  activity(options) {
    return this.#list('/activity', {}, options);
  }

  monitors(filter, options) {
    return this.#list('/monitors', filter, options);
  }

  async monitor(monitorId, options) {
    return (await this.#get(monitorPath(monitorId), options)).monitor;
  }

  async createMonitor(fields, options) {
    return (await this.#post('/monitors', fields, options)).monitor;
  }

  async changeMonitor(monitorId, fields, options) {
    return (await this.#send('PATCH', monitorPath(monitorId), fields, options)).monitor;
  }

  async deleteMonitor(monitorId, options) {
    await this.#send('DELETE', monitorPath(monitorId), undefined, options);
  }

  async pauseMonitor(monitorId, options) {
    return (await this.#post(`${monitorPath(monitorId)}/pause`, undefined, options)).monitor;
  }

  async resumeMonitor(monitorId, options) {
    return (await this.#post(`${monitorPath(monitorId)}/resume`, undefined, options)).monitor;
  }

  async runMonitor(monitorId, options) {
    return (await this.#post(`${monitorPath(monitorId)}/run`, undefined, options)).run;
  }

  monitorRuns(monitorId, filter, options) {
    return this.#list(`${monitorPath(monitorId)}/runs`, filter, options);
  }

  monitorChanges(monitorId, filter, options) {
    return this.#list(`${monitorPath(monitorId)}/changes`, filter, options);
  }

  monitorSubjects(monitorId, filter, options) {
    return this.#list(`${monitorPath(monitorId)}/subjects`, filter, options);
  }

  monitorSeries(monitorId, filter, options) {
    return this.#list(`${monitorPath(monitorId)}/series`, filter, options);
  }

  async monitorSources(monitorId, filter = {}, options) {
    const query = new URLSearchParams(filter);
    return (await this.#get(`${monitorPath(monitorId)}/sources?${query}`, options)).data;
  }

  async *#list(path, filter = {}, options) {
    let cursor = '';
    do {
      const query = new URLSearchParams({ per_page: '100', ...filter, ...(cursor ? { cursor } : {}) });
      const page = await this.#get(`${path}?${query}`, options);
      yield* page.data;
      cursor = page.next_cursor;
    } while (cursor);
  }

  async #get(path, options) {
    return (await request(this.#options, path, options)).json();
  }

  #post(path, body, options) {
    return this.#send('POST', path, body, options);
  }

  async #send(method, path, body, options) {
    return (await request(this.#options, path, { ...options, method, body })).json();
  }
}

function batchPath(batchId) {
  if (typeof batchId === 'string' && batchId !== '') return `/batch/${encodeURIComponent(batchId)}`;
  throw new TypeError(
    'The batch_id is missing. A single keyword query has no batch: submit() returns its result, like rank().',
  );
}

function monitorPath(monitorId) {
  return `/monitors/${encodeURIComponent(monitorId)}`;
}

function toIncludeQuery(include = []) {
  return include.length > 0 ? `?include=${include.join(',')}` : '';
}
