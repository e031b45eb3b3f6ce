import type { Providers } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { providers, registerStream } from './decider.ts'
import type { ProviderEvent } from './events.ts'

/** Providers, as the parts that are not theirs ask for them. */
export const providerBook: Providers = {
  serves: async ({ store }, name, businessId) => {
    const register = fold(providers, (await store.read(registerStream)) as readonly ProviderEvent[])
    const provider = register.get(name)
    if (provider === undefined || provider.revokedAt !== undefined) return false
    return provider.businessId === undefined || provider.businessId === businessId
  },
}
