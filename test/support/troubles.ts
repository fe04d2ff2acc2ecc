import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service that has these answers in store, the last one for good. */
export async function serveTroubles(answers: number[]) {
  const keys: unknown[] = [];
  const server = createServer((req, res) => {
    keys.push(req.headers['idempotency-key']);
    const status = answers.length > 1 ? Number(answers.shift()) : Number(answers[0]);
    const body = status === 200 ? { success: true } : { success: false, message: 'no success' };
    res.writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': '0' });
    res.end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, keys, answers, close: () => server.close() };
}
