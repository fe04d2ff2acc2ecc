import { expect } from 'chai';
import { createAddressPolicy, isBadPort, isPublicAddress } from '../../net/address.ts';

// First and last address of each range, and the metadata services by name, the usual targets of attacks.
const forbidden = `
  0.0.0.0 0.0.0.1 0.255.255.255 10.0.0.0 10.1.2.3 10.255.255.255 100.64.0.0 100.100.100.200 100.127.255.255
  127.0.0.0 127.0.0.1 127.1.2.3 127.255.255.255 168.63.129.16 169.254.0.0 169.254.169.254 169.254.169.123
  169.254.170.2 169.254.255.255 172.16.0.0 172.20.1.1 172.31.255.255 192.0.0.0 192.0.0.1 192.0.0.192 192.0.0.255
  192.0.2.0 192.0.2.255 192.88.99.0 192.88.99.255 192.168.0.0 192.168.1.1 192.168.255.255 198.18.0.0 198.19.255.255
  198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255 224.0.0.0 224.0.0.251 239.255.255.255 240.0.0.0
  255.255.255.254 255.255.255.255
  :: ::1 ::2 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:10.0.0.1 ::127.0.0.1 ::7f00:1 ::8.8.8.8
  64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::1 100::1 100:0:0:1::1 1fff:ffff:: 2001:: 2001:0:1::1 2001:2::1
  2001:10::1 2001:20::1 2001:1ff:ffff::1 2001:db8::1 2001:db8:ffff:ffff::1 2002:7f00:1:: 2002:808:808:: 3fff::1
  3fff:fff:ffff::1 4000::1 5f00::1 8000::1 fc00::1 fd00:ec2::254 fd20:ce::254 fdff:ffff::1 fe80::1 fe80::1%eth0
  febf::1 fec0::1 feff::1 ff00::1 ff02::1 ff0e::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2606:4700::1%1
`;

// Neighbours of the ranges above, and well-known public addresses.
const permitted = `
  1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.15
  168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.1.255
  192.0.3.0 192.31.196.1 192.52.193.1 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 192.175.48.1
  198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255
  2000::1 2001:200::1 2001:4860:4860::8888 2001:db7:ffff::1 2001:db9::1 2003::1 2606:4700:4700::1111
  2620:4f:8000::1 2a00:1450:4001::1 3ffe:ffff::1 3fff:1000::1
`;

const words = (text: string) => text.trim().split(/\s+/);

describe('the address policy', () => {
  const policy = createAddressPolicy([]);

  for (const address of words(forbidden)) {
    it(`forbids ${address}`, () => {
      expect(isPublicAddress(address)).to.equal(false);
      expect(policy.allows(address, 443)).to.equal(false);
    });
  }

  for (const address of words(permitted)) {
    it(`permits ${address}`, () => {
      expect(policy.allows(address, 443)).to.equal(true);
    });
  }

  it('forbids invalid addresses', () => {
    for (const text of ['', 'localhost', '127.1', '0x7f.1', '1.2.3', '1.2.3.4.5', '::g', '1.1.1.1/32']) {
      expect(policy.allows(text, 80), text).to.equal(false);
    }
  });

  it('forbids ports without web servers on public addresses', () => {
    for (const port of [0, 22, 25, 53, 110, 143, 465, 587, 6000, 6667, 10080]) {
      expect(isBadPort(port), String(port)).to.equal(true);
      expect(policy.allows('1.1.1.1', port), String(port)).to.equal(false);
    }
    for (const port of [80, 443, 3000, 8080, 8443, 65535]) {
      expect(policy.allows('1.1.1.1', port), String(port)).to.equal(true);
    }
  });

  it('permits addresses that the operator excepted, on any port, but not their neighbours', () => {
    const excepted = createAddressPolicy(['127.0.0.0/8', '::1/128', '10.1.0.0/16']);
    expect(excepted.allows('127.0.0.1', 22)).to.equal(true);
    expect(excepted.allows('::1', 80)).to.equal(true);
    expect(excepted.allows('10.1.255.255', 80)).to.equal(true);
    for (const address of ['10.2.0.0', '10.0.255.255', '::2', '192.168.0.1', '169.254.169.254', 'fe80::1']) {
      expect(excepted.allows(address, 80), address).to.equal(false);
    }
    expect(excepted.allows('1.1.1.1', 22)).to.equal(false);
  });
});
