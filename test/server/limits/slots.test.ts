import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { limitReads } from '../../../server/limits/slots.ts';

describe('reads of one account', () => {
  it('are answered eight at once, and those of another account beside them', async () => {
    const held: Array<() => void> = [];
    const app = express()
      .use(limitReads((req) => Number(req.get('account'))))
      .get('/{*path}', (_req, res) => {
        held.push(() => res.end());
      });
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const heldAfter = async (count: number) => {
      while (held.length < count) await new Promise(setImmediate);
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      return held.length;
    };
    const read = async (account: number, path = '/') => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { account: String(account) },
      });
      return answer.text();
    };

    const greedy = Array.from({ length: 30 }, () => read(1));
    expect(await heldAfter(8)).to.equal(8);
    const others = [read(2), read(1, '/?wait=20'), read(1, '/batch/b/results.csv')];
    expect(await heldAfter(11)).to.equal(11);
    for (let answered = 0; answered < 33; answered++) {
      while (!held[answered]) await new Promise(setImmediate);
      held[answered]?.();
    }
    await Promise.all([...greedy, ...others]);
    server.close();
  });
});
