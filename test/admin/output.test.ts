import { expect } from 'chai';
import { shown } from '../../admin/output.ts';

describe('the output of the admin command', () => {
  const name = 'a\u009b2J\r\n\u202eb';

  it('contains no control characters of names', () => {
    const plain = 'a\ufffd2J\ufffd\ufffd\ufffdb';
    expect(shown([{ name }], false)).to.equal(`name\n${plain}\n`);
    expect(shown({ name, rows: [{ name }] }, false)).to.contain(`name  ${plain}\n`);
  });

  it('escapes them in JSON', () => {
    const json = shown({ name }, true);
    expect(json).to.contain('"a\\u009b2J\\r\\n\\u202eb"');
    expect(JSON.parse(json)).to.deep.equal({ name });
  });
});
