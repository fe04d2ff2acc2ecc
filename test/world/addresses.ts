import { words } from '../support/words.ts';

/** First and last address of each range that must not be contacted, and the usual targets of attacks. */
export const forbiddenIpv4 = words(`
  0.0.0.0 0.0.0.1 0.255.255.255 10.0.0.0 10.1.2.3 10.255.255.255 100.64.0.0 100.100.100.200 100.127.255.255 127.0.0.1
  127.1.2.3 127.255.255.255 168.63.129.16 169.254.0.0 169.254.169.254 169.254.169.253 169.254.170.2 169.254.255.255
  172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.192 192.0.0.255 192.0.2.0 192.0.2.255 192.88.99.0 192.88.99.255
  192.168.0.0 192.168.1.1 192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.0 198.51.100.255 203.0.113.0
  203.0.113.255 224.0.0.0 239.255.255.250 239.255.255.255 240.0.0.0 255.255.255.255`);

export const forbiddenIpv6 = words(`
  :: ::1 ::2 0:0:0:0:0:0:0:1 0000:0000:0000:0000:0000:0000:0000:0001
  ::ffff:127.0.0.1 ::ffff:7f00:1 ::FFFF:10.0.0.1 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe ::ffff:192.168.0.1
  ::ffff:11.0.0.1 ::ffff:0:127.0.0.1 ::ffff:0:a00:1
  ::127.0.0.1 ::7f00:1 ::10.0.0.1 ::169.254.169.254 ::11.0.0.1
  64:ff9b::127.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b::11.0.0.1 64:ff9b:1::1 64:ff9b:1::a00:1
  2002:7f00:1:: 2002:a00:1::1 2002:a9fe:a9fe:: 2002:c0a8:1::
  2001:: 2001:0:7f00:1::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1 2001:10::1 2001:20::1 2001:1ff:ffff::1
  2001:db8::1 2001:db8:ffff:ffff::1 3fff::1 3fff:fff:ffff::1 1fff:ffff:: 100::1 100:0:0:1::1 4000::1 5f00::1 8000::1
  fc00::1 fd00:ec2::254 FD00:EC2::254 fd20:ce::254 fdff:ffff::1 fe80::1 fe80::5efe:127.0.0.1 febf::1
  fec0::1 feff::1 ff00::1 ff02::1 ff05::1:3 ff0e::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff`);

/** Returns the notations of an IPv4 address that a URL parser accepts, and some that it must reject. */
export function listSpellings(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (number: number) => `0x${number.toString(16)}`;
  const octal = (number: number) => `0${number.toString(8)}`;
  const inDigits = (zero: number) =>
    address.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
  return [
    String(whole),
    hex(whole),
    hex(whole).toUpperCase(),
    octal(whole),
    [a, b, c, d].map(hex).join('.'),
    [a, b, c, d].map(octal).join('.'),
    [a, b, c, d].map((part) => `000${part.toString(8)}`).join('.'),
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `${hex(a)}.${b}.${octal(c)}.${d}`,
    `${address}.`,
    address.replaceAll('.', '。'),
    address.replaceAll('.', '｡'),
    address.replaceAll('.', '．'),
    address.replaceAll('.', '%2e'),
    address.replace(/\d/g, (digit) => `%3${digit}`),
    inDigits(0xff10), // fullwidth
    inDigits(0x1d7ce), // mathematical bold
    address.replace('.', '.\u00ad'), // soft hyphen
    address.replace('.', '\u200b.'), // zero width space
  ];
}

/** Complete addresses that a reader or another parser reads differently than our parser. */
export const tricks = [
  'http://127.0.0.1\\@11.0.0.1/',
  'http://127.0.0.1:80\\@11.0.0.1:80/',
  'http://1.1.1.1 &@127.0.0.1# @11.0.0.1/',
  'http:\\\\127.0.0.1/',
  'http://127.0.0.1\t/',
  'http://127.0.\n0.1/',
  'http://127.0.0.1\r\nHost: 11.0.0.1/',
  'http://127.0.0.1\0.example.com/',
  ...[22, 25, 3000, 6379, 8080, 9200, 11211].map((port) => `http://127.0.0.1:${port}/`),
  ...[2375, 6443, 8500, 10250].map((port) => `http://10.0.0.1:${port}/`),
  // Public addresses with a port that has no web server.
  ...[22, 25, 53, 110, 143, 389, 587, 6000, 6667].map((port) => `http://11.0.0.1:${port}/`),
  ...words(`
    http://11.0.0.1@127.0.0.1/ http://11.0.0.1:80@127.0.0.1/ http://11.0.0.1%40127.0.0.1/
    http://127.0.0.1#@11.0.0.1/ http://127.0.0.1?@11.0.0.1/ http://127.0.0.1/@11.0.0.1/
    http://a@127.0.0.1:80@11.0.0.1/ http://[::1]@11.0.0.1/ http://@127.0.0.1/ http://:@127.0.0.1/
    http:127.0.0.1/ http:/127.0.0.1/ http:///127.0.0.1/ http:////127.0.0.1/ HtTp://127.0.0.1/
    http://127.0.0.1%00.example.com/ http://127.0.0.1:00080/ http://[::1%25lo]/ http://[fe80::1%25lo]/
    http://[fe80::1%lo]/ http://localhost/ http://LOCALHOST./ http://ⓛocalhost/ http://any.localhost/
    http://router/ http://metadata.google.internal/ https://127.0.0.1/ https://[::1]/
    https://169.254.169.254/latest/meta-data/`),
];

/**
 * Neighbours of the forbidden ranges, and well-known public addresses. If the tests did not reach them, they would
 * prove nothing.
 */
export const publicAddresses = words(`
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 126.255.255.255 128.0.0.1 168.63.129.15
  168.63.129.17 169.253.255.255 169.255.0.1 172.15.255.255 172.32.0.1 192.0.1.1 192.0.3.1 192.31.196.1 192.52.193.1
  192.175.48.1 192.88.98.255 192.88.100.1 192.167.255.255 192.169.0.1 198.17.255.255 198.20.0.1 198.51.99.255
  198.51.101.1 203.0.112.255 203.0.114.1 223.255.255.255 2001:200::1 2001:4860:4860::8888 2001:db9::1 2003::1
  2606:4700:4700::1111 2620:4f:8000::1 2a00:1450:4001::1 3ffe:ffff::1 3fff:1000::1`);

/** Names of a hostile zone, each with one private class, alone or beside something public. */
export const hostileZone = {
  ...Object.fromEntries(forbiddenIpv4.map((address, index) => [`v4-${index}.test`, { a: [address] }])),
  ...Object.fromEntries(
    forbiddenIpv6
      .filter((address) => !address.includes('.'))
      .map((address, index) => [`v6-${index}.test`, { aaaa: [address] }]),
  ),
  'mixed-first.test': { a: ['11.0.0.1', '10.0.0.1'] },
  'mixed-last.test': { a: ['10.0.0.1', '11.0.0.1'] },
  'mixed-family.test': { a: ['11.0.0.1'], aaaa: ['fd00:ec2::254'] },
  'mixed-loopback.test': { a: ['127.0.0.1'], aaaa: ['2606:4700:4700::1111'] },
  'mixed-mapped.test': { a: ['11.0.0.1'], aaaa: ['::ffff:127.0.0.1'] },
  'mixed-many.test': {
    a: [...Array.from({ length: 9 }, (_, index) => `11.0.0.${index}`), '169.254.169.254'],
  },
};

export function hostOf(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
