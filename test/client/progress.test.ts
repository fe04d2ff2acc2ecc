import { expect } from 'chai';
import { runCommand } from '../support/command.ts';
import { useSite } from '../support/web.ts';

const id = '0e0bd036-ac62-4143-9dfa-84aa98ff32d4';
const at = '2026-11-27T10:05:00+00:00';
const controls = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

describe('the progress of a batch on a terminal', () => {
  let looks = 0;
  let waiting: object | undefined;

  const service = useSite((req, res) => {
    if (req.url?.includes('ndjson')) return void res.end('');
    looks += 1;
    // The command reads the batch once before it shows any progress.
    const isOver = looks > 2;
    const state = isOver
      ? { completed_at: at, processed: 400 }
      : { completed_at: null, processed: 100, waiting };
    res.end(JSON.stringify({ batch_id: id, type: 'index', total: 400, failed: 0, ...state }));
  });

  const linesShown = async () => {
    looks = 0;
    const terminal = { isTTY: true, columns: 80 };
    const customer = { baseUrl: service.url, token: 'token' };
    const { problems } = await runCommand(['batch', id, '--watch'], customer, '', terminal);
    return problems.split('\r\x1b[K');
  };

  it('shows on one line why and until when the batch waits', async () => {
    waiting = { reason: 'google_unreadable', until: at };
    const lines = await linesShown();
    expect(lines[1]).to.match(/25% {2}100 of 400, waiting until \d\d:\d\d \(google_unreadable\)$/);
    expect(lines[1]).to.have.lengthOf.below(80);
    expect(lines[2]).to.match(/100% {2}400 of 400$/);
  });

  it('removes control characters of the answer, and keeps to a line', async () => {
    const hostile = `\x1b]0;title\x07\x1b[2J\r\n\u009b31m\u202eevil\u2028 ${'long '.repeat(40)}`;
    waiting = { reason: hostile, until: hostile };
    const [, line] = await linesShown();
    expect(line).to.contain('evil').and.not.match(controls);
    expect(line).to.have.lengthOf.below(80);
  });
});
