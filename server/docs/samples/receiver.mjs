import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { isGenuine } from './verify-webhook.mjs';

const seen = new Set(); // store these in a database

createServer(async (request, response) => {
  const body = (await buffer(request)).toString();
  if (!isGenuine(process.env.SONDE_WEBHOOK_SECRET, request.headers, body)) {
    response.writeHead(401).end();
    return;
  }
  // Answer first, then process. A delivery may come twice.
  response.writeHead(204).end();
  const id = request.headers['webhook-id'];
  if (seen.has(id)) return;
  seen.add(id);
  const { batch_id, status, results, results_url } = JSON.parse(body);
  console.log(batch_id, status, results ? `${results.length} results` : `read them at ${results_url}`);
}).listen(Number(process.env.PORT ?? 8000), '127.0.0.1');
