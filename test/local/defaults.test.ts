import { expect } from 'chai';
import { readConfig } from '../../config/config.ts';
import { createStartEnvironment } from '../../local/defaults.ts';

const given = { DATABASE_URL: 'postgres://127.0.0.1/sonde', SECRET_KEY: 'x'.repeat(32) };

describe('the defaults of npm start', () => {
  it('accept connections only from this machine, unless configured otherwise', async () => {
    const listensAt = async (env: Record<string, string>) =>
      readConfig(await createStartEnvironment({ ...given, ...env })).web.host;
    expect(await listensAt({})).to.equal('127.0.0.1');
    expect(await listensAt({ HOST: '' })).to.equal('127.0.0.1');
    expect(await listensAt({ HOST: '0.0.0.0' })).to.equal('0.0.0.0');
  });
});
