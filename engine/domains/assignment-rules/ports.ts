import type { Context, Facts } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { Cell } from '../../kernel/read-model.ts'

interface Version {
  readonly rule_id: number
  readonly version: number
}

/** The pools that an order is in: it waits in all of them, or its contractors are asked in one. */
export interface Pool {
  readonly rules: Version[]
  readonly broker_ids: number[]
  /** The provider that a rule gave it to. */
  readonly provider?: string
  /** Until when the contractors may take it: ISO 8601, UTC. */
  readonly respond_by?: string
}

/** As much of an address as decides the zone of an order, and as contractors see before they have it. */
export interface Area {
  readonly locality?: string
  readonly region?: string
  readonly postal_code?: string
  readonly country?: string
  readonly latitude?: number
  readonly longitude?: number
}

/** What rules cause in the stream of an order; the caller causes it now. */
type RuledCommand =
  | { readonly type: 'PoolOrder'; readonly pool: Pool }
  | { readonly type: 'UnpoolOrder'; readonly reason: 'taken' | 'unmatched' | 'withdrawn' | 'self_delivery' }
  | {
      readonly type: 'AssignDriver'
      readonly driver: number
      readonly source: 'auto_assign'
      readonly rule: Version
      readonly respond_by?: string
    }
  | { readonly type: 'AcceptOffer'; readonly broker_id: number; readonly assignment_id: number }
  | { readonly type: 'RefuseOffer'; readonly broker_id: number }

/** An order as rules see it. */
export interface RuledOrder {
  readonly id: number
  readonly businessId: number
  readonly trackingNumber: string
  readonly reference?: string
  readonly type: 'D' | 'P' | 'P2P'
  readonly items: number
  /** The code of the service that it was booked at. */
  readonly service?: string
  readonly tags: readonly string[]
  /** `YYYY-MM-DD`. */
  readonly scheduleDate?: string
  /** `HH:MM`. */
  readonly timeWindow?: { readonly start: string; readonly end: string }
  /** Missing after an erasure. */
  readonly delivery?: Area
  readonly pickup?: Area
  /** Whether nobody has it, and somebody can be asked to take it. */
  readonly isFree: boolean
  readonly pool: Pool | undefined
  /** Who is not asked again: accounts by their ids, providers by their names, `*` for all providers. */
  readonly declined: readonly (number | string)[]
  /** The appends of a command; empty if it changes nothing. Refuses like the order. */
  decide(command: RuledCommand): readonly Append[]
}

/** What assignment rules need of other domains. */
export interface AssignmentRulePorts {
  /** An order, for any caller; undefined if there is none. */
  orderAt(context: Context, id: number): Promise<RuledOrder | undefined>
  /** An order that the caller may see; refuses with `order_not_found`. */
  visibleOrder(context: Context, id: number): Promise<RuledOrder>
  /** Ids of the orders of a business that nobody has, after this one, in order of id. */
  freeOrders(facts: Facts, businessId: number, after: number, limit: number): Promise<readonly number[]>
  /** How many open orders each of these drivers or contractors has. */
  openOrders(
    facts: Facts,
    businessId: number,
    by: 'driver_id' | 'broker_id',
    ids: readonly Cell[],
  ): Promise<ReadonlyMap<Cell, number>>
  /** How many orders each of these contractors was assigned since an instant (ISO 8601, UTC). */
  assignedSince(
    facts: Facts,
    businessId: number,
    contractors: readonly Cell[],
    since: string,
  ): Promise<ReadonlyMap<Cell, number>>
  /** The drivers of a business who are on duty, and since when (ISO 8601, UTC). */
  driversOnDuty(facts: Facts, businessId: number): Promise<readonly { readonly id: number; readonly since: string }[]>
  /** The zone of the price list, and the postal code without spaces, of an order. */
  placeOf(
    facts: Facts,
    businessId: number,
    where: Pick<RuledOrder, 'type' | 'delivery' | 'pickup'>,
  ): Promise<{ readonly zone: string | undefined; readonly postalCode: string }>
  /** The appends that give an order to a provider; undefined if a provider has or had it already. */
  giveByRule(
    context: Context,
    delivery: {
      readonly order_id: number
      readonly business_id: number
      readonly order_reference?: string | undefined
      readonly provider: string
      readonly packages: readonly string[]
    },
  ): Promise<readonly Append[] | undefined>
  /** Whether a provider is to deliver an order, or has delivered it. */
  isWithProvider(context: Context, orderId: number): Promise<boolean>
  /** How many orders of a business a provider has still to deliver. */
  openDeliveries(facts: Facts, businessId: number, provider: string): Promise<number>
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly assignmentRules: AssignmentRulePorts
  }
}
