import { Resolver } from 'node:dns/promises'
import type { SingleSignOn } from '../../../engine/index.ts'
import { once } from '../../node/once.ts'
import type { Outbound } from '../../node/outbound.ts'
import type { IssuerOptions } from '../issuers.ts'

/** How the identity providers and the DNS of businesses are asked. */
export interface SignOnSettings {
  /** Private networks (CIDR) in which identity providers may be. */
  readonly allow?: readonly string[]
  /** DNS servers such as `127.0.0.1:53`; those of the system if absent. */
  readonly dnsServers?: readonly string[]
}

/** Single sign-on, and the end of its connections. */
export interface NodeSignOn extends SingleSignOn {
  close(): Promise<void>
}

/** Milliseconds to wait for a DNS server; the resolver takes up to twice as long. */
const timeout = 2_000

/**
 * Creates what asks the identity providers and the DNS of businesses. They choose their providers, so `outbound` must only reach
 * permitted addresses.
 */
export function createSingleSignOn(
  outbound: Outbound,
  { clock, now }: Pick<IssuerOptions, 'clock' | 'now'>,
  { dnsServers }: Pick<SignOnSettings, 'dnsServers'>,
): NodeSignOn {
  // Loading what checks tokens takes longer than most commands run.
  const client = once(async () => (await import('./client.ts')).createClient({ outbound, clock, now }))

  /** A resolver for each question: a business that waits for its record must not get what was there before. */
  async function textRecords(name: string): Promise<readonly string[]> {
    const resolver = new Resolver({ timeout, tries: 1 })
    if (dnsServers !== undefined) resolver.setServers(dnsServers)
    const records = await resolver.resolveTxt(name).catch(() => [])
    return records.map((pieces) => pieces.join(''))
  }

  return {
    address: async (question) => (await client()).address(question),
    identify: async (answer) => (await client()).identify(answer),
    endAddress: async (question) => (await client()).endAddress(question),
    readLogout: async (token, of) => (await client()).readLogout(token, of),
    textRecords,
    close: () => outbound.close(),
  }
}
