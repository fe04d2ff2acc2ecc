import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const folder = fileURLToPath(new URL('../../db/migrations', import.meta.url));

/** SHA-256 of each migration of a release. A release adds its files here. */
const released: Record<string, string> = {
  // 0.1.0
  '0001-accounts.sql': '6f04663d8e8176fdc0b5d9b07b8e5e71d8cd6f7ee61af3bc63c52b8343993cfa',
  '0002-people.sql': 'e959e3f211956d019a6dbaeb2d5a1b121e5eb5c2105b64c32a387ec362ed8b14',
  '0003-ledger.sql': '10ff0fc7f81cdfa72c77463d0daf754d2474124dc32affb49371916c77b5eb01',
  '0004-batches.sql': 'a3cee312cd16ad5929874e5174a717cd1d2ef3e1cfd35859c1e98bcb92ea1e87',
  '0005-monitors.sql': '9dc27ae764a7c30e8e3a76f883cdafc23c24c5725c0389ab84ff0f6f64faed85',
  '0006-webhooks.sql': '546f86cb5f1866b1b76d78e709749237301d55fd1a05f6be08a2f288f397cc13',
  '0007-mail.sql': 'f708ba8f7ae109848498302390dc674fd175aad561cc98344461d15ce11b8c8a',
  '0008-providers.sql': 'd2ee0ec22826013eef5cc0b1d324fc1ee3b1cbe9daab2d568fd3b1f07ad174d9',
  '0009-limits-and-chores.sql': '82ecb0603b596dac04571d535bb3ca4eb1eb8c79ec9b442c3b664b92ee6842f0',
};

describe('the migrations of a release', () => {
  it('are never edited: a change is a new file', async () => {
    const names = (await readdir(folder)).sort();
    expect(names.slice(0, Object.keys(released).length)).to.deep.equal(Object.keys(released));
    const hashes = Object.keys(released).map(async (name) => {
      const text = await readFile(`${folder}/${name}`);
      return [name, createHash('sha256').update(text).digest('hex')];
    });
    expect(Object.fromEntries(await Promise.all(hashes))).to.deep.equal(released);
  });
});
