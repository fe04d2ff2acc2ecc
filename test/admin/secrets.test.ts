import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { secretOf } from '../../admin/secrets.ts';

describe('a secret of a command', () => {
  const asked = (isTTY: boolean) => {
    const input = Object.assign(new PassThrough(), { isTTY });
    const output = new PassThrough();
    return { input, output, said: () => String(output.read() ?? '') };
  };
  const read = (text: string) => text.toUpperCase();

  it('is asked for at a terminal, and not shown', async () => {
    const { input, output, said } = asked(true);
    const secret = secretOf('password', undefined, read, { input, output });
    input.write('a quiet one\n');
    expect(await secret).to.equal('A QUIET ONE');
    expect(said()).to.equal('password: \n');
  });

  it('is the first line of what is not a terminal', async () => {
    const { input, output, said } = asked(false);
    input.end('first\r\nsecond');
    expect(await secretOf('password', '-', read, { input, output })).to.equal('FIRST');
    expect(said()).to.equal('');
  });

  it('is taken from the command with a warning that does not name it', async () => {
    const { input, output, said } = asked(false);
    expect(await secretOf('password', 'loud', read, { input, output })).to.equal('LOUD');
    expect(said())
      .to.match(/list of processes/)
      .and.not.include('loud');
  });
});
