import { sonde } from './sonde.mjs';

// Two keywords in two countries, with a competitor: 4 queries, 4 credits.
const queries = ['US', 'DE'].flatMap((country) =>
  ['running shoes', 'trail shoes'].map((keyword) => ({
    url: 'example.com',
    keyword,
    country,
    competitors: ['rank-7.example'],
  })),
);
const { batch_id } = await sonde('keyword-track', { queries, reference: 'this morning' });

// Poll until the batch ends, for half an hour at most.
let batch;
for (let tries = 0; tries < 90 && !batch?.completed_at; tries++) {
  batch = await sonde(`batch/${batch_id}?wait=20`);
}
for (const { country, keyword, error, rank, competitors = [] } of batch.results ?? []) {
  const others = competitors.map((other) => `${other.url} ${other.rank ?? '-'}`).join(', ');
  console.log(country, keyword, error ?? rank ?? 'not found', others);
}
