/**
 * A server that does nothing for anybody else: each answer is three statements of Postgres, one after the other, as
 * many trips as `GET /credits` makes. How long it takes beside others' work tells what of that is due to the cores that
 * all share. `node bench/bare-server.ts` prints its port; the database is that of DATABASE_URL.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 2 });
const trips = 3;

const server = createServer(async (_req, res) => {
  for (let trip = 0; trip < trips; trip++) await pool.query('select 1 as credits');
  res.setHeader('Content-Type', 'application/json');
  res.end('{"credits":1}');
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`);
});
