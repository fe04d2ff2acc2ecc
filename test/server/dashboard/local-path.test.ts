import { mock } from 'node:test';
import { expect } from 'chai';
import { toLocalPath } from '../../../server/dashboard/local-path.ts';

describe('the path after sign-in', () => {
  afterEach(() => mock.restoreAll());

  it('stays on this site', () => {
    for (const path of ['/', '/batches/1?page=2', '/%2F%2Fother.example'])
      expect(toLocalPath(path)).to.equal(path);
    const others = ['//other.example/', '/\\other.example', '/\t/other.example', '/.//other.example'];
    for (const path of [...others, 'https://other.example/', 'batches', undefined, ['/a']])
      expect(toLocalPath(path)).to.equal('/');
  });

  it('is not parsed when it names a host that is too long for DNS', () => {
    const parse = mock.method(URL, 'parse');
    const letters = Array.from({ length: 5000 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('');
    for (const start of ['//', '/\\', '/\t/', '//user@'])
      expect(toLocalPath(`${start}${letters}/`)).to.equal('/');
    expect(parse.mock.callCount()).to.equal(0);
  });
});
