import { setTimeout as sleep } from 'node:timers/promises';
import { sonde } from './sonde.mjs';

const urls = ['https://example.com/', 'https://example.com/missing'];
const { batch_id } = await sonde('http-status/bulk', { urls });
const seen = new Set();
// Poll every second until the batch ends, for half an hour at most.
let batch;
for (let tries = 0; tries < 1800 && !batch?.completed_at; tries++) {
  batch = await sonde(`batch/${batch_id}?results=partial`);
  for (const { request_id, url, error, status } of batch.results) {
    if (!seen.has(request_id)) console.log(url, error ?? status);
    seen.add(request_id);
  }
  await sleep(1000);
}
