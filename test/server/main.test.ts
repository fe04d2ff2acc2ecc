import { expect } from 'chai';
import { useService } from '../support/service.ts';

describe('a web process', () => {
  const service = useService({ HOST: '127.0.0.1' });

  it('listens at HOST only', async () => {
    const statusAt = (host: string) =>
      fetch(`http://${host}:${new URL(service.baseUrl).port}/healthz`).then(
        ({ status }) => status,
        (error) => error.cause.code,
      );
    expect(await statusAt('127.0.0.1')).to.equal(200);
    expect(await statusAt('127.0.0.2')).to.equal('ECONNREFUSED');
  });
});
