import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { passwordRule } from '../../accounts/password.ts';
import { createPasswordParser } from '../../admin/options.ts';
import { readSecret } from '../../admin/secrets.ts';

describe('a secret of the admin command', () => {
  const asked = (isTTY: boolean) => {
    const input = Object.assign(new PassThrough(), { isTTY });
    let said = '';
    const say = (text: string) => {
      said += text;
    };
    return { input, asking: { input, say }, said: () => said };
  };
  const read = (text: string) => text.toUpperCase();

  it('is asked for at a terminal, without echo', async () => {
    const { input, asking, said } = asked(true);
    const secret = readSecret('password', undefined, read, asking);
    input.write('a quiet one\n');
    expect(await secret).to.equal('A QUIET ONE');
    expect(said()).to.equal('password: \n');
  });

  it('is the first line of an input that is not a terminal', async () => {
    const { input, asking, said } = asked(false);
    input.end('first\r\nsecond');
    expect(await readSecret('password', '-', read, asking)).to.equal('FIRST');
    expect(said()).to.equal('');
  });

  it('is taken from the arguments, with a warning that does not show it', async () => {
    const { asking, said } = asked(false);
    expect(await readSecret('password', 'loud', read, asking)).to.equal('LOUD');
    expect(said())
      .to.match(/process list/)
      .and.not.include('loud');
  });

  it('is named if it is invalid, and the sources are listed if it is missing', async () => {
    const refusal = async (text: string) => {
      const { input, asking } = asked(false);
      input.end(text);
      return readSecret('password', undefined, createPasswordParser(null), asking).catch(
        ({ message }) => message,
      );
    };
    expect(await refusal('short\n')).to.equal(`The password ${passwordRule}.`);
    expect(await refusal('')).to.match(
      /^The password must have .* standard input, or run the command at a terminal/,
    );
  });
});
