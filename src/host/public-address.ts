import { BlockList, isIP } from 'node:net';

/** IPv4 that is no public host: this host, private and provider networks, link-local, examples, multicast, reserved. */
const closed = new BlockList();
const closedRanges: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
for (const [network, bits] of closedRanges) closed.addSubnet(network, bits, 'ipv4');

/** IPv6 is the other way round: only global unicast is public, without the parts that carry an IPv4 address. */
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');
const tunnelled = new BlockList();
tunnelled.addSubnet('2001::', 23, 'ipv6');
tunnelled.addSubnet('2001:db8::', 32, 'ipv6');
tunnelled.addSubnet('2002::', 16, 'ipv6');
tunnelled.addSubnet('3fff::', 20, 'ipv6');

/** True for an IP address that anybody on the internet may be reached by. */
export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address);
  if (family === 4) return !closed.check(address, 'ipv4');
  return family === 6 && global.check(address, 'ipv6') && !tunnelled.check(address, 'ipv6');
};
