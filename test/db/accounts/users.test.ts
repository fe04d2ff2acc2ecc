import { expect } from 'chai';
import * as users from '../../../db/accounts/users.ts';
import { authenticate } from '../../support/accounts.ts';
import { scryptCalls } from '../../support/cheap-passwords.ts';
import { useRecords } from '../../support/records.ts';

describe('a password', () => {
  const cost = { N: 2 ** 16, r: 8, p: 2 };
  const askedBy = async (act: () => Promise<unknown>) => {
    const before = scryptCalls.length;
    await act();
    return scryptCalls.slice(before).map(({ N, r, p }) => ({ N, r, p }));
  };
  const records = useRecords();

  it('is hashed at a high cost, which is stored with the hash', async () => {
    let hash = '';
    const asked = await askedBy(async () => {
      hash = await users.hashPassword('correct horse');
    });
    expect(asked).to.deep.equal([cost]);
    expect(hash).to.match(/^scrypt\$65536\$8\$2\$[\w+/=]{24}\$[\w+/=]{44}$/);
    expect(await users.hashPassword('correct horse')).to.not.equal(hash);
  });

  it('costs as much if it is wrong, if the user has none, and if there is no user', async () => {
    const { db } = records;
    const accountId = await records.account();
    const passwordHash = await users.hashPassword('right');
    const userId = await users.create(db, { accountId, email: 'ada@example.com', passwordHash });
    await users.create(db, { accountId, email: 'no@example.com', passwordHash: null });
    const found: Array<number | null> = [];
    for (const [email, password] of [
      ['Ada@example.com', 'right'],
      ['ada@example.com', 'wrong'],
      ['no@example.com', 'right'],
      ['nobody@example.com', 'right'],
    ] as const) {
      const asked = await askedBy(async () => {
        found.push(await authenticate(db, email, password));
      });
      expect(asked, email).to.deep.equal([cost]);
    }
    expect(found).to.deep.equal([userId, null, null, null]);
  });

  it('is not hashed if it is too long', async () => {
    const long = '\u0315\u0300'.repeat(30_000);
    const asked = await askedBy(async () => {
      expect(await authenticate(records.db, 'ada@example.com', long)).to.equal(null);
    });
    expect(asked).to.deep.equal([]);
  });
});
