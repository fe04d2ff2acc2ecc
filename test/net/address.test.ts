import { expect } from 'chai';
import { createAddressPolicy, isBadPort, isPublicAddress } from '../../net/address.ts';
import { forbiddenIpv4, forbiddenIpv6, publicAddresses } from '../world/addresses.ts';

const forbidden = [...forbiddenIpv4, ...forbiddenIpv6, 'fe80::1%eth0', '2606:4700::1%1'];

describe('the address policy', () => {
  const policy = createAddressPolicy([]);

  for (const address of forbidden) {
    it(`forbids ${address}`, () => {
      expect(isPublicAddress(address)).to.equal(false);
      expect(policy.allows(address, 443)).to.equal(false);
    });
  }

  for (const address of publicAddresses) {
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
