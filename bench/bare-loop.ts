/**
 * A simple link checker as a baseline. It fetches with node-fetch at limited concurrency, parses each page, and uses a
 * new keep-alive agent for every fifty URLs. `node bench/bare-loop.ts <port> <count> <concurrency> [path] [scheme]`
 * runs one round for each line of input and prints `ready` with the milliseconds.
 */
import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { createInterface } from 'node:readline/promises';
import fetch from 'node-fetch';
import pLimit from 'p-limit';
import { readPage } from '../checks/page/read-page.ts';
import { siteUrls } from './site.ts';

const [port = 0, count = 2000, concurrency = 75] = process.argv.slice(2, 5).map(Number);
const [path, scheme] = process.argv.slice(5);
const AgentClass = scheme === 'https' ? SecureAgent : Agent;
const limit = pLimit(concurrency);
const perAgent = 50;

for await (const _line of createInterface({ input: process.stdin })) {
  const startedMs = performance.now();
  const agents = Array.from(
    { length: Math.ceil(count / perAgent) },
    () => new AgentClass({ keepAlive: true }),
  );
  const fetchAndParse = async (url: string, index: number) => {
    const response = await fetch(url, { agent: agents[Math.floor(index / perAgent)] });
    readPage(await response.text());
  };
  await Promise.all(
    siteUrls(port, count, path, scheme).map((url, index) => limit(() => fetchAndParse(url, index))),
  );
  for (const agent of agents) agent.destroy();
  process.stdout.write(`ready ${performance.now() - startedMs}\n`);
}
