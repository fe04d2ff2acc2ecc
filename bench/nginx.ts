import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProcess } from '../test/support/processes.ts';
import type { Figure } from './figures.ts';
import { hosts } from './site.ts';
import type { Customer, Stack } from './stack.ts';

/** What one URL must be answered: status, redirects on the way, and the error, if any. */
interface Expected {
  url: string;
  status: number;
  redirects: number;
  error: string | null;
}

const port = 18_080;
const deadPort = 18_081;
const promisedMs = 200;

/**
 * A real web server, 2,000 URLs of every kind, every answer compared: with a worker waiting, and started only
 * later.
 */
export async function benchNginx(stack: Stack): Promise<Figure[]> {
  const nginx = await startNginx();
  try {
    const customer = await stack.customer(10_000);
    const list = expectations();
    const waiting = await stack.startWorker();
    const first = await run(stack, customer, list);
    await waiting.stop();
    const later: TestProcess[] = [];
    const second = await run(stack, customer, list, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      later.push(await stack.startWorker());
    });
    await Promise.all(later.map((worker) => worker.stop()));
    return [
      ...describe('with the worker waiting', first),
      ...describe('with the worker started 1 s later', second),
    ];
  } finally {
    await nginx.stop();
  }
}

interface Run {
  acceptedMs: number;
  endedMs: number;
  right: number;
  total: number;
  wrong: string[];
}

async function run(
  stack: Stack,
  customer: Customer,
  list: Expected[],
  afterwards: () => Promise<void> = async () => {},
): Promise<Run> {
  const startedMs = performance.now();
  const { status, body } = await stack.post(customer, '/http-status/bulk', {
    urls: list.map(({ url }) => url),
  });
  const acceptedMs = performance.now() - startedMs;
  if (status !== 202) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  await afterwards();
  await stack.ended(customer, String(body.batch_id));
  const endedMs = performance.now() - startedMs;
  const { results } = (await stack.get(customer, `/batch/${body.batch_id}`)) as { results: Answer[] };
  const wrong = list.filter((expected, index) => !isRight(expected, results[index]));
  return {
    acceptedMs,
    endedMs,
    right: list.length - wrong.length,
    total: list.length,
    wrong: wrong.map(({ url }) => url),
  };
}

interface Answer {
  url: string;
  status: number;
  redirect_count: number;
  error: string | null;
}

function isRight({ url, status, redirects, error }: Expected, answer: Answer | undefined): boolean {
  return (
    answer?.url === url &&
    answer.status === status &&
    answer.redirect_count === redirects &&
    answer.error === error
  );
}

function describe(how: string, { acceptedMs, endedMs, right, total, wrong }: Run): Figure[] {
  return [
    {
      what: `nginx, ${total} URLs accepted, ${how}`,
      value: `${acceptedMs.toFixed(0)} ms, all stored after ${endedMs.toFixed(0)} ms`,
      bar: `≤ ${promisedMs} ms to accept`,
      isMet: acceptedMs <= promisedMs,
    },
    {
      what: `right answers, ${how}`,
      value: `${right} of ${total}${wrong.length > 0 ? `; wrong: ${wrong.slice(0, 5).join(' ')}` : ''}`,
      bar: 'all',
      isMet: right === total,
    },
  ];
}

function expectations(): Expected[] {
  const kinds: Array<[share: number, of: (host: string, index: number) => Expected]> = [
    [900, (host, index) => expected(`http://${host}:${port}/good/${index}`, 200)],
    [500, (host, index) => expected(`http://${host}:${port}/missing/${index}`, 404)],
    [200, (host, index) => expected(`http://${host}:${port}/moved/${index}`, 200, 1)],
    [100, (host, index) => expected(`http://${host}:${port}/twice/${index}`, 200, 2)],
    [50, (host, index) => expected(`http://${host}:${port}/moved-away/${index}`, 404, 1)],
    [50, (host, index) => expected(`http://${host}:${port}/gone/${index}`, 410)],
    [50, (host, index) => expected(`http://${host}:${port}/broken/${index}`, 500)],
    [25, (host, index) => expected(`http://${host}:${port}/loop/${index}`, 302, 10, 'redirect_loop')],
    [75, (host, index) => expected(`http://${host}:${deadPort}/${index}`, 0, 0, 'connect_refused')],
    [50, (_host, index) => expected(`http://host-${index}.invalid/`, 0, 0, 'dns_not_found')],
  ];
  const all = kinds.flatMap(([share, of]) =>
    Array.from({ length: share }, (_, index) => of(hosts[index % hosts.length] ?? '', index)),
  );
  // Dealt like cards, so that every chunk has some of each kind.
  return all.map((_, index) => all[(index * 7) % all.length] as Expected);
}

function expected(url: string, status: number, redirects = 0, error: string | null = null): Expected {
  return { url, status, redirects, error };
}

const settings = (folder: string) => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log crit;
events { worker_connections 2000; }
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  server {
    ${hosts.map((host) => `listen ${host}:${port};`).join(' ')}
    root ${folder};
    location /good { default_type text/html; try_files /good.html =500; }
    location /moved/ { rewrite ^/moved/(.*)$ /good/$1 permanent; }
    location /twice/ { rewrite ^/twice/(.*)$ /moved/$1 redirect; }
    location /moved-away/ { rewrite ^/moved-away/(.*)$ /missing/$1 permanent; }
    location /gone { return 410; }
    location /broken { return 500; }
    location /loop { return 302 $request_uri; }
  }
}
`;

async function startNginx(): Promise<{ stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'sonde-nginx-'));
  await mkdir(folder, { recursive: true });
  const page = `<!doctype html><title>Shoes</title><h1>Shoes</h1>${'<p>Good shoes for every road.</p>'.repeat(100)}`;
  await writeFile(join(folder, 'good.html'), page);
  await writeFile(join(folder, 'nginx.conf'), settings(folder));
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], {
    stdio: ['ignore', 'inherit', 'ignore'],
  });
  await answering(child);
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answering(child: ChildProcess): Promise<void> {
  const failed = new Promise<never>((_, reject) => {
    child.once('error', () => reject(new Error('nginx is not installed: apt-get install nginx-light')));
    child.once('exit', (code) => reject(new Error(`nginx ended with ${code}`)));
  });
  failed.catch(() => {});
  for (let tries = 0; tries < 50; tries++) {
    const isUp = await Promise.race([
      fetch(`http://127.0.0.1:${port}/good/0`)
        .then(({ ok }) => ok)
        .catch(() => false),
      failed,
    ]);
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('nginx does not answer');
}
