import { type Loaded, load, loadOwn, type Named, ownId } from '../../entity/access.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import type { Decider } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Event, RecordedEvent } from '../../kernel/event.ts'
import { type ShapesOf, stamped } from '../../kernel/event-shape.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import type { StreamName } from '../../kernel/stream.ts'

/** A business has an account of a carrier from now on. */
type CarrierAccountAdded = Event<
  'CarrierAccountAdded',
  {
    /** ISO 8601, UTC. */
    readonly at: string
    /** The acting account; null for the operator of the server. */
    readonly by: number | null
    readonly carrier_account_id: number
    readonly business_id: number
    readonly carrier: string
    /** As the business calls it. */
    readonly name: string
    /** Sealed as personal data is, and gone with the account. */
    readonly personal?: { readonly credentials: Readonly<Record<string, string>> }
  }
>

/** The account is not used any more. Its credentials are erased. */
type CarrierAccountRemoved = Event<
  'CarrierAccountRemoved',
  {
    readonly at: string
    readonly by: number | null
    readonly carrier_account_id: number
    readonly business_id: number
  }
>

/** The events of an account of a carrier. */
type CarrierAccountEvent = CarrierAccountAdded | CarrierAccountRemoved

/** The shapes of the events of an account of a carrier. */
export const carrierAccountEventShapes: ShapesOf<CarrierAccountEvent> = {
  CarrierAccountAdded: {
    ...stamped,
    carrier_account_id: 'number',
    business_id: 'number',
    carrier: 'text',
    name: 'text',
  },
  CarrierAccountRemoved: { ...stamped, carrier_account_id: 'number', business_id: 'number' },
}

/** An account of a business at a carrier. */
export interface CarrierAccount {
  readonly id: number
  readonly businessId: number
  readonly carrier: string
  readonly name: string
  readonly addedAt: string
  readonly credentials: Readonly<Record<string, string>>
}

type CarrierAccountCommand =
  | ({ readonly type: 'AddCarrierAccount' } & CarrierAccountAdded['data'])
  | { readonly type: 'RemoveCarrierAccount'; readonly at: string; readonly by: number | null }

/** The decider of an account of a carrier; undefined before it was added and after it was removed. */
export const carrierAccounts: Decider<CarrierAccount | undefined, CarrierAccountCommand, CarrierAccountEvent> = {
  initial: () => undefined,
  evolve: (before, event) => {
    if (event.type === 'CarrierAccountRemoved') return undefined
    if (event.type !== 'CarrierAccountAdded') return before
    const { carrier_account_id: id, business_id: businessId, carrier, name, at: addedAt, personal } = event.data
    return { id, businessId, carrier, name, addedAt, credentials: personal?.credentials ?? {} }
  },
  decide: ({ type, ...data }, account) => {
    if (type === 'AddCarrierAccount')
      return [{ type: 'CarrierAccountAdded', data: data as CarrierAccountAdded['data'] }]
    if (account === undefined) throw new EngineError('carrier_account_not_found', { account: 0 })
    const named = { carrier_account_id: account.id, business_id: account.businessId }
    return [{ type: 'CarrierAccountRemoved', data: { ...data, ...named } }]
  },
}

/** The stream of an account of a carrier. */
export function carrierAccountStream(id: number): StreamName {
  return `carrier_account-${id}`
}

/** The accounts of each business, without their credentials. */
export const carrierAccountModel = {
  name: 'carrier_accounts',
  version: 1,
  category: 'carrier_account',
  columns: { carrier_account_id: 'integer', business_id: 'integer', carrier: 'text', is_removed: 'integer' },
  key: ['carrier_account_id'],
  indexes: [['business_id']],
  opens: () => false,
  rows: (recorded) => {
    const event = recorded as RecordedEvent<CarrierAccountEvent>
    if (event.type !== 'CarrierAccountAdded' && event.type !== 'CarrierAccountRemoved') return []
    const { carrier_account_id, business_id } = event.data
    const carrier = event.type === 'CarrierAccountAdded' ? { carrier: event.data.carrier } : {}
    return [{ carrier_account_id, business_id, ...carrier, is_removed: event.type === 'CarrierAccountRemoved' ? 1 : 0 }]
  },
} as const satisfies ReadModel

/** The business that the caller acts for, and the acting account: its own, or for an operator the business that it names. */
export function actingFor({ caller }: Pick<Context, 'caller'>): { readonly id: number; readonly by: number | null } {
  if (caller.kind === 'operator' && caller.businessId !== undefined) return { id: caller.businessId, by: null }
  const { id: by, business } = accountOf({ caller })
  return { id: business.id, by }
}

const kind: Named<CarrierAccount> = {
  entity: {
    category: 'carrier_account',
    refusals: { missing: 'carrier_account_not_found', param: 'account' },
    access: { belongs: (context, { businessId }) => actingFor(context).id === businessId },
  },
  decider: carrierAccounts,
}

/** What the id of an account of a carrier names. */
export const carrierAccountId = ownId(kind)

/** An account of a carrier of the caller's business; refuses with `carrier_account_not_found`. */
export function loadCarrierAccount(context: Context, id: number): Promise<Loaded<CarrierAccount>> {
  return loadOwn(context, kind, id)
}

/** An account of a carrier of any business; undefined if there is none. */
export async function findCarrierAccount(context: Context, id: number): Promise<CarrierAccount | undefined> {
  return (await load(context, kind, id))?.state
}

/** The most accounts that a business has, because all of them are asked at once. */
export const maxAccounts = 20

/** The accounts of the caller's business, in order of id. */
export async function accountsOfBusiness(context: Context): Promise<readonly CarrierAccount[]> {
  const where = { business_id: actingFor(context).id, is_removed: 0 }
  const { rows } = await context.models.page(carrierAccountModel, { where, limit: maxAccounts })
  const loaded = rows.map(({ carrier_account_id: id }) => loadCarrierAccount(context, Number(id)))
  return (await Promise.all(loaded)).map(({ state }) => state)
}
