import { expect } from 'chai';
import { formatResult } from '../../admin/output.ts';

describe('the output of the admin command', () => {
  const name = 'a\u009b2J\r\n\u202eb';

  it('contains no control characters of names', () => {
    const plain = 'a\ufffd2J\ufffd\ufffd\ufffdb';
    expect(formatResult([{ name }], false)).to.equal(`name\n${plain}\n`);
    expect(formatResult({ name, rows: [{ name }] }, false)).to.contain(`name  ${plain}\n`);
  });

  it('escapes them in JSON', () => {
    const json = formatResult({ name }, true);
    expect(json).to.contain('"a\\u009b2J\\r\\n\\u202eb"');
    expect(JSON.parse(json)).to.deep.equal({ name });
  });
});
