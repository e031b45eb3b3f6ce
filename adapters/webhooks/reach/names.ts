import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Guard } from './addresses.ts'
import { failed } from './failure.ts'

/**
 * The addresses of a host, of which each may be connected to. Rejects with the failure `dns` where there are none, and
 * `unreachable` where one of them may not be.
 */
export type Find = (host: string, isSecure: boolean) => Promise<readonly LookupAddress[]>

/** What names are looked up with. */
export interface NamesOptions {
  readonly guard: Guard
  /** DNS servers, as `127.0.0.1:53`; those of the system where absent. */
  readonly servers?: readonly string[] | undefined
  /** Epoch milliseconds. */
  readonly clock: () => number
}

interface Known {
  readonly addresses: readonly LookupAddress[]
  /** Epoch milliseconds. */
  readonly until: number
}

/** Seconds that an answer is kept at most, and how many are. */
const maxAge = 30
const maxKnown = 1_000

/** Milliseconds for a server to answer; the resolver lets about twice as much pass. */
const timeout = 500

/** Looks names up: by DNS alone, without the threads that `getaddrinfo` blocks, but for `localhost` (RFC 6761). */
export function createFind({ guard, servers, clock }: NamesOptions): Find {
  const resolver = new Resolver({ timeout, tries: 1 })
  if (servers !== undefined) resolver.setServers(servers)
  const known = new Map<string, Known>()
  const asked = new Map<string, Promise<readonly LookupAddress[]>>()

  async function ask(host: string): Promise<readonly LookupAddress[]> {
    const answers = await Promise.allSettled([
      resolver.resolve4(host, { ttl: true }),
      resolver.resolve6(host, { ttl: true }),
    ])
    const records = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (records.length === 0) throw failed('dns', answers)
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

  /** Those who ask for a name at once are answered at once. */
  function addressesOf(host: string): Promise<readonly LookupAddress[]> {
    const answer = known.get(host)
    if (answer !== undefined && clock() < answer.until) return Promise.resolve(answer.addresses)
    const asking = asked.get(host) ?? ask(host).finally(() => asked.delete(host))
    asked.set(host, asking)
    return asking
  }

  return async (host, isSecure) => {
    // Without TLS nothing can be permitted but what the operator allows, so nobody is asked in vain.
    if (!isSecure && !guard.hasExceptions) throw failed('unreachable')
    const addresses = fixed(host) ?? (await addressesOf(host))
    if (!addresses.every(({ address }) => guard.permits(address, isSecure))) throw failed('unreachable')
    return addresses
  }
}

/** The address of a host that is not looked up. */
function fixed(host: string): readonly LookupAddress[] | undefined {
  if (/(^|\.)localhost\.?$/i.test(host)) return [{ address: '127.0.0.1', family: 4 }]
  const family = isIP(host)
  return family === 0 ? undefined : [{ address: host, family }]
}
