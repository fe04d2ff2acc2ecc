import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { createPasswordParser } from '../../admin/options.ts';
import { readSecret } from '../../admin/secrets.ts';

describe('a secret of the admin command', () => {
  const read = (isTTY: boolean) => {
    const input = Object.assign(new PassThrough(), { isTTY });
    const said: string[] = [];
    const asking = { input, say: (text: string) => void said.push(text) };
    const secret = readSecret('password', undefined, createPasswordParser(null), asking);
    return { input, said, secret };
  };

  it('is asked for at a terminal, without echo', async () => {
    const { input, said, secret } = read(true);
    input.write('a quiet one\n');
    expect(await secret).to.equal('a quiet one');
    expect(said.join('')).to.equal('password: \n');
  });

  it('needs a source', async () => {
    const { input, secret } = read(false);
    input.end('');
    const refused = await secret.catch(({ message }) => message);
    expect(refused).to.match(/^The password must have .* standard input, or run the command at a terminal/);
  });
});
