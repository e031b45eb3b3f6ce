import type { Facts } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { isExpired, keysOf, type Provider, providers, type Register, registerStream } from './decider.ts'
import type { ProviderEvent } from './events.ts'

/** The providers in the register, by name. */
export async function registerOf({ store }: Pick<Facts, 'store'>): Promise<Register['providers']> {
  return fold(providers, (await store.read(registerStream)) as readonly ProviderEvent[]).providers
}

/** The providers whose keys expire, and when (ISO 8601, UTC); not those whose keys are revoked. */
export async function keyExpiries(
  facts: Pick<Facts, 'store'>,
): Promise<readonly { readonly provider: string; readonly expiresAt: string }[]> {
  return [...(await registerOf(facts)).values()].flatMap((one) => {
    const expiresAt = keysOf(one)[0]?.expiresAt
    return expiresAt === undefined ? [] : [{ provider: one.name, expiresAt }]
  })
}

/** Whether a business can work with a provider: it is not revoked, and is for this business or for all. */
export async function serves(facts: Pick<Facts, 'store'>, name: string, businessId: number): Promise<boolean> {
  const provider: Provider | undefined = (await registerOf(facts)).get(name)
  if (provider === undefined || provider.revokedAt !== undefined) return false
  return provider.businessId === undefined || provider.businessId === businessId
}

/** The providers that report for a business, or did: those for this one alone, and those for all. */
export async function providersOf(facts: Pick<Facts, 'store'>, business: number): Promise<readonly string[]> {
  const all = [...(await registerOf(facts)).values()]
  return all.filter(({ businessId = business }) => businessId === business).map(({ name }) => name)
}

/** Since when a provider has had keys (ISO 8601, UTC); undefined if none of them is valid at an instant. */
export async function activeSince(facts: Pick<Facts, 'store'>, name: string, at: string): Promise<string | undefined> {
  const provider = (await registerOf(facts)).get(name)
  const isActive = provider !== undefined && keysOf(provider).some((key) => !isExpired(key, at))
  return isActive ? provider.addedAt : undefined
}

/** A provider that sends webhooks: their format, the secret that proves them, and the only business that it reports for. */
export async function webhookOfProvider(facts: Pick<Facts, 'store'>, name: string) {
  const provider = (await registerOf(facts)).get(name)
  const { webhook, businessId } = provider ?? {}
  return webhook === undefined || provider?.revokedAt !== undefined ? undefined : { ...webhook, businessId }
}

/** The only business that a provider reports for, or did; undefined for one that reports for all, and for any other name. */
export async function businessOfProvider(facts: Pick<Facts, 'store'>, name: string): Promise<number | undefined> {
  return (await registerOf(facts)).get(name)?.businessId
}
