import { sonde } from './sonde.mjs';

const urls = ['https://example.com/', 'https://example.com/missing'];
const { batch_id } = await sonde('http-status/bulk', { urls });
const canceled = await sonde(`batch/${batch_id}/cancel`, {});
console.log(`${canceled.failed} refunded, ${canceled.successful} answered before`);

// A new batch of the checks without an answer.
if (canceled.failed > 0) {
  const again = await sonde(`batch/${batch_id}/retry`, {});
  console.log(`${again.total} retried as ${again.batch_id}`);
}
