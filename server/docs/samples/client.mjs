import { Sonde } from '@sonde/client';

const sonde = new Sonde({ token: process.env.SONDE_TOKEN, baseUrl: 'http://localhost:3000' });
const urls = ['https://example.com/', 'https://example.com/missing'];
const { batch_id } = await sonde.submit('http', urls, { reference: 'october' });
await sonde.ended(batch_id);
for await (const result of sonde.results(batch_id)) console.log(result.url, result.error ?? result.status);
