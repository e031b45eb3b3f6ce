import { businessCallerOf } from '../../entity/access.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { handoff } from './handoff.ts'

/** The family of the operations here. */
export const family = { tag: handoff.api.tag } as const

/** What lets a partner hand orders over: the key of a provider that is bound to a business. */
export const handoffScope = handoff.providerApi.write.scope

/** A partner of a business. */
export interface Partner {
  readonly businessId: number
  readonly provider: string
}

/** The partner that calls; refuses others with `forbidden`. */
export function partnerOf(context: Context): Partner {
  const { businessId, provider } = businessCallerOf(context)
  if (provider === undefined) throw new EngineError('forbidden', { scopes: handoffScope })
  return { businessId, provider }
}
