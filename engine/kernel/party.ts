import * as v from 'valibot'
import type { Role } from './account.ts'
import { accountOf } from './call.ts'
import type { Context, Facts } from './context.ts'
import { EngineError } from './errors.ts'
import type { Code } from './messages/index.ts'
import { isoOf } from './time.ts'

/** The roles that work for the business itself. Providers have no account, so roles do not apply to them. */
export const staff: readonly Role[] = ['client_admin', 'client_employee']

/** The party behind a call: a business (through an account), or a partner with a provider account of that business. */
export interface Party {
  readonly businessId: number
  /** The name of the partner; absent for an account, which sees the records of all partners. */
  readonly provider?: string
  /** The calling account; null for a partner. */
  readonly by: number | null
}

/** The calling party: a provider that is bound to a business, otherwise the account. Throws like `accountOf`. */
export function partyOf(context: Pick<Context, 'caller'>): Party {
  const { kind, name, businessId } = context.caller
  if (kind === 'provider' && businessId !== undefined) return { businessId, provider: name, by: null }
  const account = accountOf(context)
  return { businessId: account.business.id, by: account.id }
}

/** Whether a party may see a record of a business and one of its partners. */
export function isSeenBy(
  { businessId, provider }: Party,
  owned: { readonly businessId: number; readonly provider: string },
): boolean {
  return owned.businessId === businessId && (provider === undefined || provider === owned.provider)
}

/** The cells that select the rows the caller may see: those of its business, and for a partner only its own. */
export function ownedBy(context: Pick<Context, 'caller'>): {
  readonly business_id: number
  readonly provider?: string
} {
  const { businessId, provider } = partyOf(context)
  return { business_id: businessId, ...(provider === undefined ? {} : { provider }) }
}

/** When a command is given, and by which account. */
export function commandStamp(context: Pick<Context, 'caller' | 'clock'>): {
  readonly at: string
  readonly by: number | null
} {
  return { at: isoOf(context.clock()), by: partyOf(context).by }
}

/** The name of a provider account. */
export const providerName = v.pipe(
  v.string(),
  v.maxLength(60),
  v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'not_provider_name' satisfies Code),
)

/**
 * The partner that a call concerns: the caller itself, or the one that an account names. Refuses with
 * `provider_required` if none is named, and with `provider_not_found` a partner that the business does not work with
 * or that is not the caller.
 */
export async function requirePartner(context: Context, party: Party, named: string | undefined): Promise<string> {
  const name = named ?? party.provider
  if (name === undefined) throw new EngineError('provider_required')
  if (party.provider !== undefined && party.provider !== name) throw new EngineError('provider_not_found', { name })
  await requireProvider(context, name, party.businessId)
  return name
}

/** Refuses with `provider_not_found` a provider that a business does not work with. */
export async function requireProvider(
  context: Facts & Pick<Context, 'directory'>,
  name: string,
  businessId: number,
): Promise<void> {
  if (!(await context.directory.serves(context, name, businessId)))
    throw new EngineError('provider_not_found', { name })
}
