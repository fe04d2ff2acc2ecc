import { createSocket } from 'node:dgram';
import * as packet from 'dns-packet';

/** Answers by name: addresses, `nxdomain`, `servfail` or silence. */
export type Zone = Record<string, DnsAnswer | (() => DnsAnswer)>;
export type DnsAnswer = { a?: string[]; aaaa?: string[]; ttl?: number } | 'nxdomain' | 'servfail' | 'silence';

export interface TestDns {
  /** For DNS_SERVERS. */
  server: string;
  /** Number of queries for each name. */
  asked: Map<string, number>;
  close(): void;
}

/** Starts a name server on loopback. */
export async function serveDns(zone: Zone): Promise<TestDns> {
  const socket = createSocket('udp4');
  const asked = new Map<string, number>();
  socket.on('message', (message, from) => {
    const query = packet.decode(message);
    const [question] = query.questions ?? [];
    if (!question) return;
    const name = question.name.toLowerCase();
    asked.set(name, (asked.get(name) ?? 0) + 1);
    const found = zone[name];
    const answer = (typeof found === 'function' ? found() : found) ?? 'nxdomain';
    if (answer === 'silence') return;
    socket.send(packet.encode(responseTo(query, question, answer)), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { server: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() };
}

/** Runs a name server for a suite. Its fields are set when the suite's hooks have run. */
export function useDns(zone: Zone): TestDns {
  const dns = {} as TestDns;
  before(async () => void Object.assign(dns, await serveDns(zone)));
  after(() => dns.close());
  return dns;
}

const responseCodes = { nxdomain: 3, servfail: 2 };

function responseTo(
  query: packet.Packet,
  question: packet.Question,
  answer: Exclude<DnsAnswer, 'silence'>,
): packet.Packet {
  const code = typeof answer === 'string' ? responseCodes[answer] : 0;
  const records = typeof answer === 'string' ? [] : ((question.type === 'A' ? answer.a : answer.aaaa) ?? []);
  const ttl = typeof answer === 'string' ? 0 : (answer.ttl ?? 60);
  return {
    type: 'response',
    id: query.id,
    flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | code,
    questions: [question],
    answers: records.map((data) => ({ type: question.type as 'A', name: question.name, ttl, data })),
  };
}
