import { Writable } from 'node:stream';
import { expect } from 'chai';
import winston from 'winston';
import { createLog } from '../../process/log.ts';

function capture(format: 'json' | 'pretty', write: (log: winston.Logger) => void): Promise<string> {
  const log = createLog({ level: 'info', format });
  return new Promise((resolve) => {
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        resolve(String(chunk));
        done();
      },
    });
    log.clear().add(new winston.transports.Stream({ stream }));
    write(log);
  });
}

describe('the log', () => {
  it('writes one event per line, also when a value has newlines', async () => {
    const line = await capture('json', (log) => log.info('Said', { value: 'a\nb' }));
    expect(line.trimEnd()).to.not.include('\n');
    expect(JSON.parse(line)).to.include({ message: 'Said', value: 'a\nb', level: 'info' });
  });

  for (const format of ['json', 'pretty'] as const) {
    it(`masks secrets (${format})`, async () => {
      const line = await capture(format, (log) =>
        log.info('Called', {
          a: 'Authorization: Bearer sonde_OoayDHOJpxPzTTFrCkmzzYtfLejSHK0Z7ltj',
          b: 'whsec_B+LWH2HAQVGdhzdFPgLc96gKDJVRdCiLtR8Xg2rN0Kg=',
          d: 'token sonde_OoayDHOJpxPzTTFrCkmzzYtfLejSHK0Z7ltj',
          c: 'postgres://user:hunter2@host/db',
        }),
      );
      expect(line).to.not.match(/OoayDHOJ|B\+LWH2|hunter2/);
      expect(line).to.include('sonde_…').and.include('whsec_…').and.include('postgres://user:…@');
    });
  }

  it('keeps the helpful parts of an error and its cause', async () => {
    const error = new Error('outer', { cause: Object.assign(new Error('inner'), { code: 'ECONNRESET' }) });
    const line = JSON.parse(await capture('json', (log) => log.warn('Failed', { error })));
    expect(line.error).to.include({ message: 'outer' });
    expect(line.error.cause).to.include({ message: 'inner', code: 'ECONNRESET' });
  });
});
