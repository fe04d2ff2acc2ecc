import { expect } from 'chai';
import { TestService } from '../support/service.ts';

describe('a web process', () => {
  it('listens at the one address it is told', async () => {
    const service = await TestService.start({ HOST: '127.0.0.1' });
    const statusAt = (host: string) =>
      fetch(`http://${host}:${new URL(service.baseUrl).port}/healthz`).then(
        ({ status }) => status,
        (error) => error.cause.code,
      );
    try {
      expect(await statusAt('127.0.0.1')).to.equal(200);
      expect(await statusAt('127.0.0.2')).to.equal('ECONNREFUSED');
    } finally {
      await service.stop();
    }
  });
});
