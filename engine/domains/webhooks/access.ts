import * as v from 'valibot'
import type { Role } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import type { Owner } from '../../kernel/endpoint.ts'
import { EngineError } from '../../kernel/errors.ts'
import { id } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import type { WebhookEventBase } from './events.ts'
import { businessOwner, customerOwner } from './owners.ts'

/** The family of the operations here. */
export const tag = 'Webhooks'

/** Who may look at webhooks, each at its own. */
export const readers: { readonly scopes: readonly string[]; readonly roles: readonly Role[] } = {
  scopes: ['webhooks:read'],
  roles: ['client_admin', 'client_employee', 'customer'],
}

/** Who may change webhooks, each its own. */
export const writers: typeof readers = { scopes: ['webhooks:write'], roles: ['client_admin', 'customer'] }

/** Who may change the endpoints of providers. */
export const admins: typeof readers = { scopes: ['webhooks:write'], roles: ['client_admin'] }

/** The member that names the level of the settings. */
export const levelEntry = {
  customer_id: v.exactOptional(
    v.pipe(id, v.description('The customer whose own webhooks are meant; those of the business where absent.')),
  ),
}

/** The member of an answer that names the level of the settings. */
export const levelAnswerEntry = {
  customer_id: v.pipe(v.nullable(v.number()), v.description('Null where they are those of the business.')),
}

/** Whose webhooks are meant: those of a business, or of one of its customers. */
export interface Level {
  readonly owner: Owner
  readonly businessId: number
  readonly customerId?: number
}

/** Whose webhooks are meant. A customer has only its own; what the caller may not see is `customer_not_found`. */
export async function levelOf(context: Context, requested: number | undefined): Promise<Level> {
  const { id: caller, role, business } = accountOf(context)
  const businessId = business.id
  const customerId = role === 'customer' ? (requested ?? caller) : requested
  if (customerId === undefined) return { owner: businessOwner(businessId), businessId }
  const isKnown = role === 'customer' ? customerId === caller : await isCustomer(context, businessId, customerId)
  if (!isKnown) throw new EngineError('customer_not_found', { customer: customerId })
  return { owner: customerOwner(customerId), businessId, customerId }
}

async function isCustomer(context: Context, businessId: number, id: number): Promise<boolean> {
  const person = await context.directory.person(context, id)
  return person?.role === 'customer' && person.business.id === businessId
}

/** What a fact says beside itself: now, and by the account that calls. */
export function commandStamp(context: Context): WebhookEventBase {
  return { at: isoOf(context.clock()), by: accountOf(context).id }
}
