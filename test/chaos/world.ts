import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Environment } from '../../config/config.ts';
import { asSerpApi, asSerper } from '../support/google.ts';
import type { Random } from '../support/random.ts';
import { pages } from '../support/web.ts';
import { chunkIn, hosts } from './questions.ts';
import { Witness } from './witness.ts';

/** The webhooks received for one batch: their ids, and their number. */
export interface Received {
  ids: Set<string>;
  times: number;
}

/** Target sites, two search providers and webhook receivers. Providers and receivers fail sometimes. */
export class World {
  readonly witness = new Witness();
  readonly received = new Map<string, Received>();
  readonly sitePort: number;
  /** A port without a listener. */
  readonly deadPort: number;
  readonly #searchPort: number;
  readonly #receiverPort: number;
  readonly #servers: Server[];

  private constructor(ports: Record<'site' | 'dead' | 'search' | 'receiver', number>, servers: Server[]) {
    this.sitePort = ports.site;
    this.deadPort = ports.dead;
    this.#searchPort = ports.search;
    this.#receiverPort = ports.receiver;
    this.#servers = servers;
  }

  static async open(random: Random): Promise<World> {
    let world: World | null = null;
    const within =
      (act: (world: World, ...args: Parameters<RequestListener>) => unknown): RequestListener =>
      (req, res) =>
        void (world && act(world, req, res));
    const site = await listen(
      within((it, req, res) => it.#showPage(req, res, random)),
      hosts[0] as string,
    );
    const port = getPort(site);
    const more = hosts.slice(1).map((host) =>
      listen(
        within((it, req, res) => it.#showPage(req, res, random)),
        host,
        port,
      ),
    );
    const search = await listen(
      within((it, req, res) => it.#search(req, res, random)),
      '127.0.0.1',
    );
    const receiver = await listen(
      within((it, req, res) => it.#receive(req, res)),
      '127.0.0.1',
    );
    const dead = await listen(() => {}, '127.0.0.1');
    const ports = { site: port, dead: getPort(dead), search: getPort(search), receiver: getPort(receiver) };
    await close(dead);
    world = new World(ports, [site, search, receiver, ...(await Promise.all(more))]);
    return world;
  }

  /** Settings by which the targets and providers identify a process. */
  envFor(asker: string): Environment {
    const search = `http://127.0.0.1:${this.#searchPort}`;
    return {
      CHECK_USER_AGENT: asker,
      SERP_PROVIDERS: 'serper,serpapi',
      SERPER_API_KEY: asker,
      SERPER_BASE_URL: search,
      SERPAPI_API_KEY: asker,
      SERPAPI_BASE_URL: search,
      // Slots of killed processes are free again 10 s after this.
      PROVIDER_TIMEOUT_MS: '5000',
      PROVIDER_CONCURRENCY: '500',
    };
  }

  /** Returns the URL of a receiver: `willing`, `hesitant` (accepts the second attempt) or `unwilling`. */
  webhookUrl(batch: string, mind: ReceiverMind): string {
    return `http://127.0.0.1:${this.#receiverPort}/${mind}/${batch}`;
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map(close));
  }

  #showPage(req: IncomingMessage, res: Parameters<RequestListener>[1], random: Random): void {
    const path = req.url ?? '';
    this.witness.observe(req, res, req.headers['user-agent'] ?? '', chunkIn(path));
    const kind = path.split('/')[1] ?? '';
    const page = sitePages[kind] ?? sitePages.gone;
    const location = kind === 'moved' ? { Location: path.replace('/moved/', '/ok/') } : {};
    const headers = { 'Content-Type': 'text/html; charset=utf-8', ...location };
    const delayMs = kind === 'slow' ? slowMs : random.integer(100, 900);
    setTimeout(() => res.writeHead(page?.status ?? 404, headers).end(page?.body), delayMs);
  }

  /** Answers POST in the format of Serper, and GET in the format of SerpApi. */
  async #search(req: IncomingMessage, res: Parameters<RequestListener>[1], random: Random): Promise<void> {
    const url = new URL(req.url ?? '/', 'http://search');
    const asker = String(req.headers['x-api-key'] ?? url.searchParams.get('api_key'));
    const body = await text(req).catch(() => '');
    if (req.destroyed && !req.complete) return;
    const asked = req.method === 'POST' ? JSON.parse(body) : Object.fromEntries(url.searchParams);
    this.witness.observe(req, res, asker, chunkIn(String(asked.q ?? asked.page_token)));
    const seen = { method: 'GET', url, headers: req.headers, body };
    const page = req.method === 'POST' ? asSerper(asked) : asSerpApi(seen).body;
    const isFaulty = random.chance(faultShare);
    setTimeout(
      () => {
        if (isFaulty && random.chance(0.5)) res.destroy();
        else if (isFaulty) res.writeHead(random.pick([429, 500, 503])).end('{}');
        else res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(page));
      },
      random.integer(100, 600),
    );
  }

  #receive(req: IncomingMessage, res: Parameters<RequestListener>[1]): void {
    const [, mind, batch = ''] = (req.url ?? '').split('/');
    const received = this.received.get(batch) ?? { ids: new Set(), times: 0 };
    this.received.set(batch, received);
    received.ids.add(String(req.headers['webhook-id']));
    received.times += 1;
    req.resume();
    if (mind === 'hesitant' && received.times === 1) res.writeHead(500).end();
    else res.writeHead(mind === 'unwilling' ? 410 : 204).end();
  }
}

export type ReceiverMind = 'willing' | 'hesitant' | 'unwilling';

const slowMs = 2000;
/** Share of failing calls to search providers. */
const faultShare = 0.03;

const sitePages: Record<string, (typeof pages)[string] | undefined> = {
  ok: pages['/good'],
  gone: pages['/missing'],
  broken: pages['/broken'],
  moved: { status: 301, body: '' },
  soft: pages['/soft'],
  slow: pages['/good'],
};

async function listen(handler: RequestListener, host: string, port = 0): Promise<Server> {
  const server = createServer({ keepAliveTimeout: 60_000 }, handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

function getPort(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
