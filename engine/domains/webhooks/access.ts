import * as v from 'valibot'
import { isOwnCustomer } from '../../entity/access.ts'
import type { Role } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import type { Owner } from '../../kernel/endpoint.ts'
import { EngineError } from '../../kernel/errors.ts'
import { id } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import type { WebhookEventBase } from './events.ts'
import { businessOwner, customerOwner } from './owners.ts'

/** The tag of these operations. */
export const tag = 'Webhooks'

/** Who may read webhook settings and deliveries: businesses and customers, each their own. */
export const readers: { readonly scopes: readonly string[]; readonly roles: readonly Role[] } = {
  scopes: ['webhooks:read'],
  roles: ['client_admin', 'client_employee', 'customer'],
}

/** Who may change webhooks: businesses and customers, each their own. */
export const writers: typeof readers = { scopes: ['webhooks:write'], roles: ['client_admin', 'customer'] }

/** Who may change the endpoints of providers. */
export const admins: typeof readers = { scopes: ['webhooks:write'], roles: ['client_admin'] }

/** The input member for the level of the settings. */
export const levelEntry = {
  customer_id: v.exactOptional(
    v.pipe(id, v.description('The customer whose own webhooks are meant; absent for those of the business.')),
  ),
}

/** The answer member for the level of the settings. */
export const levelAnswerEntry = {
  customer_id: v.pipe(v.nullable(v.number()), v.description('The customer; null for the webhooks of the business.')),
}

/** The level of webhook settings: a business, or one of its customers. */
export interface Level {
  readonly owner: Owner
  readonly businessId: number
  readonly customerId?: number
}

/** The requested level. Customers have only their own; a level that the caller may not see is `customer_not_found`. */
export async function levelOf(context: Context, requested: number | undefined): Promise<Level> {
  const { id: caller, role, business } = accountOf(context)
  const businessId = business.id
  const customerId = role === 'customer' ? (requested ?? caller) : requested
  if (customerId === undefined) return { owner: businessOwner(businessId), businessId }
  const isKnown = role === 'customer' ? customerId === caller : await isOwnCustomer(context, customerId)
  if (!isKnown) throw new EngineError('customer_not_found', { customer: customerId })
  return { owner: customerOwner(customerId), businessId, customerId }
}

/** What the member of `levelEntry` names. */
export const levelIds = {
  customer_id: { noun: 'customer', require: (context: Context, id: unknown) => levelOf(context, Number(id)) },
}

/** The time of a command and the calling account. */
export function commandStamp(context: Context): WebhookEventBase {
  return { at: isoOf(context.clock()), by: accountOf(context).id }
}
