import { expect } from 'chai';
import * as accounts from '../../../db/accounts/accounts.ts';
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

  it('are invalid once revoked, by themselves or by id, and when the account is disabled', async () => {
    const [one, two] = [
      await tokens.issue(records.db, accountId, 'one'),
      await tokens.issue(records.db, accountId, 'two'),
    ];
    const found = await tokens.find(records.db, one);
    expect(found).to.include({ name: 'one', accountId });
    expect(await tokens.find(records.db, found?.tokenId ?? 0)).to.deep.equal(found);
    expect(await tokens.revoke(records.db, accountId, found?.tokenId ?? 0)).to.equal(true);
    expect(await tokens.findCaller(records.db, one)).to.equal(null);
    const caller = await tokens.findCaller(records.db, two);
    const other = await records.account();
    const tokenId = caller?.tokenId ?? 0;
    expect(await tokens.revoke(records.db, other, tokenId)).to.equal(false);
    expect(await tokens.revoke(records.db, accountId, tokenId)).to.equal(true);
    expect(await tokens.findCaller(records.db, two)).to.equal(null);
    expect(await tokens.revoke(records.db, accountId, 999_999)).to.equal(false);

    const third = await tokens.issue(records.db, other, 'three');
    await accounts.disable(records.db, other);
    expect(await tokens.findCaller(records.db, third)).to.equal(null);
  });
});
