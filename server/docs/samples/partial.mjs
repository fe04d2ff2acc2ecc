import { setTimeout as sleep } from 'node:timers/promises';
import { sonde } from './sonde.mjs';

const urls = ['https://example.com/', 'https://example.com/missing'];
const { batch_id } = await sonde('http-status/bulk', { urls });
const seen = new Set();
let batch;
do {
  batch = await sonde(`batch/${batch_id}?results=partial`);
  for (const { request_id, url, error, status } of batch.results) {
    if (!seen.has(request_id)) console.log(url, error ?? status);
    seen.add(request_id);
  }
  await sleep(1000);
} while (batch.completed_at === null);
