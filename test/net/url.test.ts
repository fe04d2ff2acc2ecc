import { expect } from 'chai';
import { createAddressPolicy } from '../../net/address.ts';
import { parseTarget, parseUrl, withoutFragment } from '../../net/url.ts';
import { countParses } from '../support/parses.ts';
import { words } from '../support/words.ts';

const policy = createAddressPolicy([]);
const problem = (input: string) => parseTarget(input, policy).problem;

describe('parseTarget', () => {
  it('accepts complete addresses, with white space around them', () => {
    const good = [
      'https://example.com',
      ' http://example.com/a?b=c#d \n',
      'HTTPS://EXAMPLE.COM:8443/',
      'http://münchen.de/ü',
    ];
    for (const input of good) expect(problem(input), input).to.equal(undefined);
    expect(parseTarget('http://münchen.de/', policy).url?.hostname).to.equal('xn--mnchen-3ya.de');
  });

  it('parses an address once', () => {
    expect(countParses(() => parseTarget('http://münchen.de/ü', policy)).parses).to.equal(1);
  });

  it('does not parse a host that DNS cannot hold', () => {
    const letters = String.fromCharCode(...Array.from({ length: 1000 }, (_, n) => 0x4e00 + n * 7));
    const labels = (count: number) => Array(count).fill('a'.repeat(62)).join('.');
    for (const host of [letters, `a:b@${letters}:80`, `${letters}.example`, 'a'.repeat(64), labels(5)]) {
      const count = countParses(() => expect(problem(`http://${host}/`)).to.equal('Not a valid URL.'));
      expect(count.parses, host).to.equal(0);
    }
    expect(countParses(() => problem(`${letters}.example`)).parses).to.equal(0);
    for (const host of [`${'a'.repeat(63)}.example`, `${labels(4)}.`])
      expect(problem(`http://${host}/`)).to.equal(undefined);
    const long = (length: number) => `${'a.'.repeat(126)}${'a'.repeat(length - 252)}`;
    for (const host of [
      long(253),
      `${long(253)}.`,
      `${'a'.repeat(63)}\u3002${'b'.repeat(63)}\uff0ec\uff61de`,
    ])
      expect(problem(`http://${host}/`), host).to.equal(undefined);
    for (const host of [long(254), `${long(254)}.`, `${'a'.repeat(64)}\u3002b`])
      expect(problem(`http://${host}/`), host).to.equal('Not a valid URL.');
    // This host is short enough as written, but too long in ASCII.
    expect(problem(`http://${letters.slice(0, 63)}.example/`)).to.equal('Not a valid URL.');
  });

  it('rejects a host too long for DNS, however the reference is written', () => {
    const long = 'ü'.repeat(64);
    const references = [`//${long}/`, `\\\\${long}`, `ht\ttp://${long}/`, `http:${long}/`];
    for (const reference of [...references, ` http://${long}/`, `\u0001\t//${long}/`]) {
      const read = () => parseUrl(reference, 'http://example.com/');
      expect(countParses(() => expect(read()).to.equal(null)).parses, reference).to.equal(0);
    }
    expect(parseUrl(`/${long}`, 'http://example.com/a')?.pathname).to.have.length(1 + 64 * 6);
  });

  const suggested: Array<[input: string, suggestion: string]> = [
    ['example.com/shoes', 'https://example.com/shoes'],
    ['www.example.com', 'https://www.example.com'],
    ['//example.com/x', 'https://example.com/x'],
    ['htp://example.com/x', 'https://example.com/x'],
    ['https:/example.com/x', 'https://example.com/x'],
    ['ftp://example.com/file', 'https://example.com/file'],
    ['domain:example.com', 'https://example.com'],
    ['example.com?a=b@c', 'https://example.com?a=b@c'],
    ['example.com:8443/@name', 'https://example.com:8443/@name'],
  ];
  for (const [input, suggestion] of suggested) {
    it(`suggests ${suggestion} for ${input}`, () => {
      expect(problem(input)).to.equal(`Not a complete URL. Did you mean ${suggestion}?`);
    });
  }

  it('suggests nothing for invalid addresses', () => {
    expect(problem('running shoes')).to.equal('Not a complete URL. It must begin with https:// or http://.');
    expect(problem('')).to.match(/^Empty/);
    expect(problem('javascript:alert(1)')).to.match(/must begin with/);
    expect(problem('data:text/html,x')).to.match(/must begin with/);
    for (const mail of ['mailto:info@example.com', 'mailto:a.b@example.com?subject=x', 'a.b@example.com'])
      expect(problem(mail), mail).to.match(/must begin with/);
  });

  it('rejects invalid addresses, and says why', () => {
    for (const input of ['http://a.com/\0', 'http://a.com/\ud800', 'http://a\nb.com/', 'http://a.com/\x7f']) {
      expect(problem(input), JSON.stringify(input)).to.match(/character/);
    }
    expect(problem(`http://a.com/${'x'.repeat(2048)}`)).to.match(/Longer than 2048/);
    expect(problem('http://user:pass@example.com/')).to.match(/user name or password/);
    expect(problem('http://https://example.com/')).to.match(/two schemes/);
    expect(problem('http://')).to.match(/Not a valid URL/);
    expect(problem('http://a b.com/')).to.match(/Not a valid URL/);
  });

  const privateSpellings = words(`
    http://127.0.0.1/ http://127.1/ http://2130706433/ http://0x7f000001/ http://0177.0.0.1/
    http://0x7f.0.0.1/ http://127.0.0.1./ http://[::1]/ http://[::ffff:127.0.0.1]/ http://[::127.0.0.1]/
    http://[0:0:0:0:0:0:0:1]/ http://１２７.０.０.１/ http://127。0。0。1/ http://%31%32%37.0.0.1/ http://0/
    http://0.0.0.0/ http://169.254.169.254/latest/meta-data/ http://2852039166/ http://[fd00:ec2::254]/
    http://10.0.0.1/ http://192.168.0.1:8080/ http://[fe80::1]/ http://localhost/ http://LOCALHOST:3000/
    http://localhost./ http://foo.localhost/ http://router/ http://printer.local/ http://db.internal/
    http://metadata.google.internal/ http://x.home.arpa/ http://api.default.svc/ http://node.consul/
    http://hidden.onion/ http://example.com:22/ http://1.1.1.1:25/ http://[64:ff9b::7f00:1]/
    http://[2002:7f00:1::]/`);
  for (const input of privateSpellings) {
    it(`rejects ${input}`, () => {
      expect(problem(input)).to.equal(
        'We do not contact this URL: its host is private, or its port is blocked. The operator can allow private IP addresses in TARGET_ALLOW_CIDRS.',
      );
    });
  }

  it('rejects a zone id', () => {
    expect(problem('http://[fe80::1%25eth0]/')).to.be.a('string');
  });

  it('permits public addresses that look like private ones', () => {
    const good = [
      'http://127.0.0.1.example.com/',
      'http://localhost.example.com/',
      'http://100.63.0.1/',
      'http://172.32.0.1/',
    ];
    for (const input of good) expect(problem(input), input).to.equal(undefined);
  });

  it('permits the ranges that the operator allowed, and local names', () => {
    const excepted = createAddressPolicy(['127.0.0.0/8']);
    const at = (input: string) => parseTarget(input, excepted).problem;
    for (const input of ['http://127.0.0.1:22/', 'http://localhost:3000/', 'http://printer.local/']) {
      expect(at(input), input).to.equal(undefined);
    }
    expect(at('http://10.0.0.1/')).to.match(/private/);
  });
});

describe('withoutFragment', () => {
  it('cuts at the first # of any address', () => {
    expect(withoutFragment('https://example.com/a?b#c#d')).to.equal('https://example.com/a?b');
    expect(withoutFragment('/relative#\n')).to.equal('/relative');
    expect(withoutFragment('#')).to.equal('');
    expect(withoutFragment('https://example.com/')).to.equal('https://example.com/');
  });
});
