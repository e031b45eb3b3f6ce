import { BlockList, isIP, isIPv6 } from 'node:net'
import { type ForwardedHeaders, localSource, networks } from '../node/limits.ts'

/** Finds out where requests come from. */
interface Sources {
  sourceOf(peer: string | undefined, header: ForwardedHeaders): string
  isTrusted(peer: string): boolean
}

/** Maximum number of remembered addresses, which need not be parsed for each request. */
const maxPeers = 100_000

/** Maximum characters of a remembered list: clients choose its beginning, and 100,000 long ones would fill the memory. */
const maxListLength = 200

/** A peer, and whether it is a trusted proxy. */
interface Peer {
  readonly source: string
  readonly isTrusted: boolean
}

/**
 * Trusts the forwarded addresses of these proxies (addresses and networks). `onUntrusted` is called for each request
 * with a forwarded address that is ignored, because its peer is not one of them.
 */
export function createSources(proxies: readonly string[], onUntrusted: () => void): Sources {
  const trusted = listOf(proxies)
  const peers = new Map<string, Peer>()
  /** Sources by what a trusted proxy forwards; undefined if that names no address. */
  const forwarded = new Map<string, string | undefined>()

  function isTrusted(address: string): boolean {
    return isIP(address) !== 0 && trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }

  function peerOf(address: string): Peer {
    const known = peers.get(address)
    if (known !== undefined) return known
    const plain = plainAddress(address)
    const peer = { source: sourceAt(plain), isTrusted: isTrusted(plain) }
    return remember(peers, address, peer)
  }

  /** The last address of `X-Forwarded-For` that is not a trusted proxy: only those before it can be invented. */
  function sourceIn(list: string): string | undefined {
    const known = forwarded.get(list)
    if (known !== undefined || forwarded.has(list)) return known
    const addresses = list.split(',').map((part) => plainAddress(part.trim()))
    const first = addresses.findLast((address) => !isTrusted(address))
    const source = first === undefined || isIP(first) === 0 ? undefined : sourceAt(first)
    return list.length > maxListLength ? source : remember(forwarded, list, source)
  }

  return {
    isTrusted: (address) => peerOf(address).isTrusted,
    sourceOf: (address, header) => {
      if (address === undefined) return localSource
      const peer = peerOf(address)
      const list = header('x-forwarded-for')
      if (peer.isTrusted) return (list === undefined ? undefined : sourceIn(list)) ?? peer.source
      if (list !== undefined || header('forwarded') !== undefined) onUntrusted()
      return peer.source
    },
  }
}

/** A network around a source, and how many times as much as a source it may. */
interface Network {
  readonly name: string
  readonly times: number
}

/** The networks around a source; none if it is no address. */
export function networksOf(source: string): readonly Network[] {
  const [address = ''] = source.split('::/')
  const isSix = address !== source
  if (!isSix && isIP(address) !== 4) return []
  const all = networks.filter(({ version }) => version === (isSix ? 6 : 4))
  return all.map(({ bits, times }) => ({ name: networkAt(address, isSix, bits), times }))
}

/** The first bits of an address whose groups are written out. */
function networkAt(address: string, isSix: boolean, bits: number): string {
  const { sign, size, radix } = isSix ? { sign: ':', size: 16, radix: 16 } : { sign: '.', size: 8, radix: 10 }
  const groups = address.split(sign).map((group, at) => {
    const dropped = Math.min(size, Math.max(0, (at + 1) * size - bits))
    return ((Number.parseInt(group, radix) >> dropped) << dropped).toString(radix)
  })
  return `${groups.join(sign)}${isSix ? '::' : ''}/${bits}`
}

/** Remembers a value; forgets all others if there are too many. */
export function remember<Value>(values: Map<string, Value>, name: string, value: Value, most = maxPeers): Value {
  if (values.size >= most) values.clear()
  values.set(name, value)
  return value
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}

/** An address without brackets, port and zone; an IPv4 address that is mapped into IPv6 as such. */
function plainAddress(text: string): string {
  const [, inBrackets] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? []
  const [, withPort] = /^([\d.]+):\d+$/.exec(text) ?? []
  const address = (inBrackets ?? withPort ?? text).replace(/%.*$/, '')
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  return mapped ?? address
}

/** An IPv4 address, or the /64 network of an IPv6 address: one customer of a provider has at least that. */
function sourceAt(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const before = groupsOf(head)
  const after = tail === undefined ? [] : groupsOf(tail)
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

function groupsOf(text: string): readonly string[] {
  return text.split(':').flatMap((group) => {
    if (group === '') return []
    return group.includes('.') ? ['0', '0'] : [group]
  })
}
