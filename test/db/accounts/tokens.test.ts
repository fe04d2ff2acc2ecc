import { expect } from 'chai';
import * as tokens from '../../../db/accounts/tokens.ts';
import { useRecords } from '../../support/records.ts';

describe('tokens', () => {
  const records = useRecords();
  let accountId: number;

  before(async () => {
    accountId = await records.account();
  });

  it('are stored only as a hash, and can be found', async () => {
    const token = await tokens.issue(records.db, accountId, 'mine');
    expect(token).to.match(/^sonde_[0-9A-Za-z]{36}$/);
    expect(await tokens.findCaller(records.db, token)).to.include({ accountId });
    const stored = await records.db.selectFrom('apiTokens').selectAll().execute();
    expect(JSON.stringify(stored)).to.not.include(token.slice(6, 30));
    const [summary] = await tokens.list(records.db, accountId);
    expect(summary).to.include({ name: 'mine', lastFour: token.slice(-4) });
    expect(summary?.lastUsedAt).to.be.instanceOf(Date);
  });

  it('with a wrong character are rejected without a query', async () => {
    const token = await tokens.issue(records.db, accountId, 'typo');
    expect(tokens.parseToken(token)).to.equal(token);
    for (const position of [6, 20, 35, 41]) {
      const other = token[position] === 'a' ? 'b' : 'a';
      expect(tokens.parseToken(token.slice(0, position) + other + token.slice(position + 1))).to.equal(null);
    }
    for (const text of ['', 'sonde_', token.slice(0, -1), `${token}a`, token.toUpperCase(), `x${token}`]) {
      expect(tokens.parseToken(text)).to.equal(null);
    }
  });
});
