import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Guard, Way } from './addresses.ts'
import { attemptError } from './failure.ts'

/**
 * The addresses of a host, all of which are permitted. Rejects with the failure `dns` if there are none, and with
 * `unreachable` if one is not permitted.
 */
export type ResolveHost = (host: string, way: Way) => Promise<readonly LookupAddress[]>

/** Dependencies of name resolution. */
interface ResolverOptions {
  readonly guard: Guard
  /** DNS servers such as `127.0.0.1:53`; those of the system if absent. */
  readonly servers?: readonly string[] | undefined
  /** Epoch milliseconds. */
  readonly clock: () => number
}

interface CachedAddresses {
  readonly addresses: readonly LookupAddress[]
  /** Epoch milliseconds. */
  readonly until: number
}

/** Maximum seconds that an answer is cached, and the maximum number of cached names. */
const maxAge = 30
const maxKnown = 1_000

/** Milliseconds to wait for a DNS server; the resolver takes up to twice as long. */
const timeout = 500

/**
 * Resolves names with DNS only, which avoids the threads that `getaddrinfo` blocks. `localhost` is fixed (RFC 6761).
 */
export function createResolver({ guard, servers, clock }: ResolverOptions): ResolveHost {
  const resolver = new Resolver({ timeout, tries: 1 })
  if (servers !== undefined) resolver.setServers(servers)
  const known = new Map<string, CachedAddresses>()
  const asked = new Map<string, Promise<readonly LookupAddress[]>>()

  async function ask(host: string): Promise<readonly LookupAddress[]> {
    const answers = await Promise.allSettled([
      resolver.resolve4(host, { ttl: true }),
      resolver.resolve6(host, { ttl: true }),
    ])
    const records = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (records.length === 0) throw attemptError('dns', answers)
    const addresses = records.map(({ address }) => ({ address, family: isIP(address) }))
    keep(host, addresses, Math.min(maxAge, ...records.map(({ ttl }) => ttl)))
    return addresses
  }

  function keep(host: string, addresses: readonly LookupAddress[], seconds: number) {
    known.delete(host)
    for (const oldest of known.keys()) {
      if (known.size < maxKnown) break
      known.delete(oldest)
    }
    known.set(host, { addresses, until: clock() + seconds * 1000 })
  }

  /** Concurrent lookups of a name share one query. */
  function addressesOf(host: string): Promise<readonly LookupAddress[]> {
    const answer = known.get(host)
    if (answer !== undefined && clock() < answer.until) return Promise.resolve(answer.addresses)
    const asking = asked.get(host) ?? ask(host).finally(() => asked.delete(host))
    asked.set(host, asking)
    return asking
  }

  return async (host, way) => {
    // Without TLS only addresses that the operator allows are permitted; without any, no lookup is needed.
    if (!way.isSecure && !guard.hasExceptions) throw attemptError('unreachable')
    const addresses = literalAddresses(host) ?? (await addressesOf(host))
    if (!addresses.every(({ address }) => guard.permits(address, way))) throw attemptError('unreachable')
    return addresses
  }
}

/** The addresses of a host that needs no lookup. */
function literalAddresses(host: string): readonly LookupAddress[] | undefined {
  if (/(^|\.)localhost\.?$/i.test(host)) return [{ address: '127.0.0.1', family: 4 }]
  const family = isIP(host)
  return family === 0 ? undefined : [{ address: host, family }]
}
