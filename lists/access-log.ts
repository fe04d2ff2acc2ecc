import { looksLikeUrl } from './address.ts';
import { isPageRequest } from './cells.ts';
import { valueLengthMax } from './list.ts';
import { type ListDocument, toDocument } from './list-document.ts';
import { ListError } from './list-error.ts';
import { type Pieces, readSample, type TextSample } from './pieces.ts';
import { type Row, readLines } from './rows.ts';

/**
 * A line of the combined or common log format of Apache and nginx, with the host that many providers add to it: before
 * the client's address, behind it (OVH), behind the size (IONOS, STRATO), or at the end (All-Inkl, Host Europe):
 * https://httpd.apache.org/docs/current/logs.html#accesslog
 */
const logLine =
  /^(?:(\S+) )?\S+ (\S+) \S+ \[[^\]]{1,60}\] "(?:([A-Z]+) ([^"]+)|[^"]*(?:\\"[^"]*)*)" (?:\d{3}|-) (?:\d+|-)(.*)/;
/** The request in a line of another format, such as of a load balancer of AWS, if it has a whole URL. */
const urlRequest = /"([A-Z]{3,10}) (https?:\/\/[^\s"]+) HTTP\/\d/;
const logField = /"(?:[^"\\]|\\.)*"|\S+/g;
/** In the combined log format, the user agent is the second field behind the size. A client can write a host there. */
const userAgentAt = 3;
const hostsMax = 1000;
const hostLinesMax = 100;

/** Fields of the W3C extended log format, which IIS and CloudFront write: https://www.w3.org/TR/WD-logfile.html */
const w3cFields = ['x-host-header', 'cs-host', 'cs-method', 'cs-uri-stem', 'cs-uri-query', 'cs(referer)'];

/** Returns whether the first lines of a text name the fields of an access log, or most of them are lines of one. */
export function isAccessLog(sample: string): boolean {
  if (/^(?:#.{0,1000}\r?\n){0,20}#Fields:.*\bcs-uri-stem\b/i.test(sample)) return true;
  const lines = sample.split(/\r?\n/, 10).filter((line) => line.trim() !== '');
  const isRequest = (line: string) => logLine.test(line) || urlRequest.test(line);
  return lines.length > 0 && lines.filter(isRequest).length * 2 > lines.length;
}

/** Returns whether the first line is one of the output of a container, as Docker stores it. */
export function isContainerLog(sample: string): boolean {
  return /^\s*\{"log":".*","stream":"std(?:out|err)"/.test(sample);
}

/** Reads the requests in the output of a container. Throws ListError if it has none. */
export async function readContainerLog(pieces: Pieces, entriesMax: number): Promise<ListDocument> {
  const document = await readAccessLog(await readSample(unwrap(pieces)), entriesMax);
  if (document.tables[0]?.rows.length === 0) throw otherLog();
  return document;
}

async function* unwrap(pieces: Pieces): AsyncGenerator<string> {
  for await (const { cells } of readLines(pieces)) yield toOutput(cells[0] ?? '');
}

/** Docker splits a long line, so that only the last part has a line end. */
function toOutput(line: string): string {
  try {
    const { log } = JSON.parse(line);
    if (typeof log === 'string') return log;
  } catch {
    // The last line may be incomplete.
  }
  return `${line}\n`;
}

export function otherLog(): ListError {
  return new ListError('This log has a format that cannot be read. Extract its URLs, one per line.');
}

/** Returns whether the first line is like that of a server's log: with a request in quotes, or `HTTP/1.1` in JSON. */
export function isOtherLog(sample: string): boolean {
  const [first = ''] = sample.trimStart().split('\n', 1);
  return /"[A-Z]{3,10} [^\s"]+ HTTP\/\d/.test(first) || /^\{.*: ?"HTTP\/\d/.test(first);
}

/**
 * Reads the distinct URLs or paths that were requested by GET or HEAD, the most frequent first. The most frequent host
 * is the suggested host. For a line without a host, the host of the referring page counts, because most visitors come
 * from other pages of the site.
 */
export async function readAccessLog(
  { sample, pieces }: TextSample,
  entriesMax: number,
): Promise<ListDocument> {
  const hostAt = findHostPosition(sample);
  const requests = new Map<string, { row: Row; count: number }>();
  const hosts = new Map<string, number>();
  let others = 0;
  let w3cColumns: number[] | null = null;
  for await (const { line, cells } of readLines(pieces)) {
    const [text = ''] = cells;
    if (/^#Fields:/i.test(text)) {
      const names = text.toLowerCase().split(/\s+/).slice(1);
      w3cColumns = w3cFields.map((field) => names.indexOf(field));
    }
    if (text === '' || text.startsWith('#')) continue;
    const found = w3cColumns ? readW3cLine(text, w3cColumns) : readLogLine(text, hostAt);
    const [virtualHost, method = '', target = '', referrer] = found;
    if (!isPageRequest(method, target)) {
      others += 1;
      continue;
    }
    const whole = virtualHost && target.startsWith('/') ? toUrl(virtualHost, target) : target;
    const address = whole.slice(0, valueLengthMax);
    const known = requests.get(address);
    if (known) known.count += 1;
    else requests.set(address, { row: { line, cells: [address] }, count: 1 });
    countHost(hosts, whole === target ? referrer : whole);
    if (requests.size > entriesMax) break;
  }
  const rows = [...requests.values()].sort((a, b) => b.count - a.count).map(({ row }) => row);
  const [suggestion] = [...hosts].sort(([, a], [, b]) => b - a)[0] ?? [];
  const hostSuggestion = suggestion ?? null;
  return toDocument('access_log', rows, { hostSuggestion }, [{ reason: 'not_get', count: others }]);
}

function readW3cLine(line: string, columns: number[]): Array<string | undefined> {
  const values = line.split(/\s/);
  const [edgeHost, host, method, path = '', query, referrer] = columns
    .map((column) => values[column])
    .map((value) => (value === '-' ? undefined : value));
  return [edgeHost ?? host, method, query ? `${path}?${query}` : path, referrer];
}

function readLogLine(line: string, hostAt: number): Array<string | undefined> {
  const found = logLine.exec(line);
  if (!found) return [undefined, ...(urlRequest.exec(line)?.slice(1) ?? [])];
  const [, first, second, method, request, rest = ''] = found;
  // A path may have spaces.
  const target = request?.replace(/ HTTP\/[\d.]+$/, '');
  const host = hostAt < 2 ? [first, second][hostAt] : readFields(rest)[hostAt - 2];
  const [, referrer] = /"(https?:[^"]*)"/.exec(rest) ?? [];
  return [host, method, target, referrer];
}

function readFields(text: string): string[] {
  return (text.match(logField) ?? []).map((field) => field.replace(/^"(.*)"$/, '$1'));
}

/**
 * Returns the position that has a host in most of the first lines: 0 before the address, 1 behind it, then the fields
 * behind the size. A field counts only if most lines have a host there, because clients write some fields.
 */
function findHostPosition(sample: string): number {
  const lines = sample.split(/\r?\n/, hostLinesMax).flatMap((line) => {
    const [, first = '', second = '', , , rest = ''] = logLine.exec(line) ?? [];
    return rest === '' ? [] : [[first, second, ...readFields(rest)]];
  });
  const counts = new Map<number, number>();
  for (const [at, field] of lines.flatMap((fields) => [...fields.entries()]))
    if (at !== userAgentAt && isVirtualHost(field)) counts.set(at, (counts.get(at) ?? 0) + 1);
  const [at = 0, count = 0] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  return count * 2 > lines.length ? at : 0;
}

function isVirtualHost(text: string): boolean {
  return looksLikeUrl(text) && !/[/?#]/.test(text);
}

function toUrl(virtualHost: string, path: string): string {
  const [, host = '', port = ''] = /^(.*?)(?::(\d+))?$/.exec(virtualHost) ?? [];
  return isVirtualHost(host) ? `${port === '80' ? 'http' : 'https'}://${host}${path}` : path;
}

function countHost(hosts: Map<string, number>, referrer = ''): void {
  const [, host] = /^https?:\/\/([^/?#\s]{1,253})/i.exec(referrer) ?? [];
  if (host && (hosts.has(host) || hosts.size < hostsMax)) hosts.set(host, (hosts.get(host) ?? 0) + 1);
}
