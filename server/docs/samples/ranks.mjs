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

let batch;
do {
  batch = await sonde(`batch/${batch_id}?wait=20`);
} while (batch.completed_at === null);
for (const { country, keyword, error, rank, competitors = [] } of batch.results) {
  const others = competitors.map((other) => `${other.url} ${other.rank ?? '-'}`).join(', ');
  console.log(country, keyword, error ?? rank ?? 'not found', others);
}
