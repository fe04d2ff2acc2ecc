import { expect } from 'chai';
import { createReachabilityCheck, parseEndpoint } from '../../net/reachability.ts';
import { useRawServer } from '../support/raw-server.ts';

describe('the reachability check of an own endpoint', () => {
  const server = useRawServer(() => {});

  it('succeeds with a connection, also on loopback, and by name', async () => {
    const { port } = server;
    expect(await createReachabilityCheck({ host: '127.0.0.1', port }, 30_000)()).to.equal(true);
    expect(await createReachabilityCheck({ host: 'localhost', port }, 30_000)()).to.equal(true);
  });

  it('fails for a closed port and for an unknown name', async () => {
    expect(await createReachabilityCheck({ host: '127.0.0.1', port: 1 }, 30_000)()).to.equal(false);
    expect(await createReachabilityCheck({ host: 'nobody.invalid', port: 1 }, 30_000)()).to.equal(false);
  });

  it('reads the host and port from a URL', () => {
    expect(parseEndpoint('https://api.example.com/x')).to.deep.equal({ host: 'api.example.com', port: 443 });
    expect(parseEndpoint('postgres://sonde:pw@[::1]/sonde')).to.deep.equal({ host: '::1', port: 5432 });
    expect(parseEndpoint('postgresql://db:6432/sonde')).to.deep.equal({ host: 'db', port: 6432 });
    expect(parseEndpoint('postgres://sonde@%2Fvar%2Frun/sonde')).to.equal(null);
    expect(parseEndpoint('postgres:///sonde')).to.equal(null);
  });
});
