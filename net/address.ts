import { BlockList, isIP } from 'node:net';

/** Decides to which IP addresses and ports the service may connect. */
export interface AddressPolicy {
  /** Returns true for a public IP address with a harmless port, and for the operator's exceptions. */
  allows(address: string, port: number): boolean;
  /** True if the operator allowed private ranges. Hosts are then not judged by their names. */
  hasExceptions: boolean;
}

// Source: iana.org/assignments/iana-ipv4-special-registry, and the metadata addresses of cloud providers.
const forbiddenIpv4 = [
  '0.0.0.0/8', // this network, RFC 791
  '10.0.0.0/8', // private, RFC 1918
  '100.64.0.0/10', // carrier-grade NAT, RFC 6598; 100.100.100.200 is Alibaba's metadata
  '127.0.0.0/8', // loopback, RFC 1122
  '168.63.129.16/32', // Azure's wire server, a public address that is private inside Azure
  '169.254.0.0/16', // link-local, RFC 3927; 169.254.169.254 is most clouds' metadata
  '172.16.0.0/12', // private, RFC 1918
  '192.0.0.0/24', // protocol assignments, RFC 6890; 192.0.0.192 is Oracle's metadata
  '192.0.2.0/24', // documentation, RFC 5737
  '192.88.99.0/24', // former 6to4 relays, RFC 7526
  '192.168.0.0/16', // private, RFC 1918
  '198.18.0.0/15', // benchmarking, RFC 2544
  '198.51.100.0/24', // documentation, RFC 5737
  '203.0.113.0/24', // documentation, RFC 5737
  '224.0.0.0/4', // multicast, RFC 5771
  '240.0.0.0/4', // reserved, RFC 1112, and broadcast
];

// The only IPv6 range allocated for global unicast. Ranges for future use lie outside of it.
const globalIpv6 = '2000::/3';
const forbiddenIpv6 = [
  '2001::/23', // protocol assignments, RFC 2928: Teredo, ORCHID, benchmarking
  '2001:db8::/32', // documentation, RFC 3849
  '2002::/16', // 6to4, RFC 3056: contains an IPv4 address
  '3fff::/20', // documentation, RFC 9637
];

// The "bad port" list of the Fetch standard (fetch.spec.whatwg.org#port-blocking, read 2026-11).
const badPorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Creates a policy that refuses private IP addresses, except for the operator's exceptions (TARGET_ALLOW_CIDRS). */
export function createAddressPolicy(allowCidrs: readonly string[]): AddressPolicy {
  const exceptions = createBlockList(allowCidrs);
  return {
    hasExceptions: allowCidrs.length > 0,
    allows: (address, port) => {
      if (isExcepted(exceptions, address)) return true;
      return isPublicAddress(address) && !isBadPort(port);
    },
  };
}

/** Returns whether a text is an IP address that can be reached over the public internet. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !forbidden4.check(address, 'ipv4');
    case 6:
      return !address.includes('%') && global6.check(address, 'ipv6') && !forbidden6.check(address, 'ipv6');
    default:
      return false;
  }
}

/** Returns true if a port belongs to another protocol. An HTTP request could attack the service at this port. */
export function isBadPort(port: number): boolean {
  return badPorts.has(port);
}

const forbidden4 = createBlockList(forbiddenIpv4);
const global6 = createBlockList([globalIpv6]);
const forbidden6 = createBlockList(forbiddenIpv6);

function createBlockList(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', bits] = cidr.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

function isExcepted(exceptions: BlockList, address: string): boolean {
  const family = isIP(address);
  return family > 0 && exceptions.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
