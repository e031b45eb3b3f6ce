import { BlockList, isIP, isIPv6 } from 'node:net'
import { type ForwardedHeaders, localSource } from '../node/limits.ts'

/** Finds out where requests come from. */
export interface Sources {
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

/** Remembers a value; forgets all others if there are too many. */
function remember<Value>(values: Map<string, Value>, name: string, value: Value): Value {
  if (values.size >= maxPeers) values.clear()
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
