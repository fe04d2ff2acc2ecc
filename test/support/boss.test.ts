import { expect } from 'chai';
import pg from 'pg';
import { createTestBoss } from './boss.ts';

describe('a queue of a test’s own', () => {
  const boss = createTestBoss({
    url: 'postgres://127.0.0.1:1/none',
    backend: 'postgres',
    max: 1,
    role: 'web',
  });
  const tell = (code: string) => {
    const error = new pg.DatabaseError('told', 4, 'error');
    error.code = code;
    boss.emit('error', error);
  };

  it('outlives its database, and hides nothing else', () => {
    tell('57P01');
    expect(() => tell('42P01')).to.throw('told');
  });
});
