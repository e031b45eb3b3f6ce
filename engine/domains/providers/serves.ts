import type { Facts } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { providers, registerStream } from './decider.ts'
import type { ProviderEvent } from './events.ts'

/** Whether a business can work with a provider: the provider has a valid key for this business or for all. */
export async function serves({ store }: Pick<Facts, 'store'>, name: string, businessId: number): Promise<boolean> {
  const register = fold(providers, (await store.read(registerStream)) as readonly ProviderEvent[])
  const provider = register.get(name)
  if (provider === undefined || provider.revokedAt !== undefined) return false
  return provider.businessId === undefined || provider.businessId === businessId
}
