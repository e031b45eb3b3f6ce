import { BlockList, isIP } from 'node:net'

/** How an address is connected to. */
export interface Way {
  readonly isSecure: boolean
  readonly port: number
}

/** The ports at which public hosts are sent to: those at which the web speaks TLS. Any other may be a console of something else. */
const publicPorts: readonly number[] = [443, 8443]

/** Decides which addresses may be connected to. */
export interface Guard {
  /** Whether an address is permitted: a public one with TLS at 443 or 8443, or one that the operator allows, also without TLS. */
  permits(address: string, way: Way): boolean
  /** Whether the operator allows any address that is not public. */
  readonly hasExceptions: boolean
}

/**
 * IPv4 ranges that are not public: IANA's special-purpose registry, multicast, reserved ranges, and the host address of
 * Azure machines.
 */
const special4 = blockList([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32'],
])

/** The only IPv6 range of public hosts. */
const global6 = blockList(['2000::/3'])

/** Special ranges within it: protocols, documentation, and embedded IPv4. */
const special6 = blockList(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

/**
 * Creates a guard. `allow` lists addresses and ranges (`10.0.0.0/8`) that are permitted besides the public ones; throws
 * if one is neither.
 */
export function createGuard(allow: readonly string[]): Guard {
  const allowed = blockList(allow)
  return {
    permits(address, { isSecure, port }) {
      const family = isIP(address)
      if (family === 0) return false
      if (allowed.check(address, family === 4 ? 'ipv4' : 'ipv6')) return true
      return isSecure && publicPorts.includes(port) && isPublic(address, family)
    },
    hasExceptions: allow.length > 0,
  }
}

function isPublic(address: string, family: number): boolean {
  if (family === 4) return !special4.check(address, 'ipv4')
  return global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits, ...rest] = range.split('/')
    const family = isIP(address)
    const size = family === 4 ? 32 : 128
    const prefix = bits === undefined ? size : Number(bits)
    if (family === 0 || rest.length > 0 || !/^\d*$/.test(bits ?? '') || bits === '' || prefix > size)
      throw new Error(`${range} is not a range of addresses, as 10.0.0.0/8.`)
    list.addSubnet(address, prefix, family === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}
