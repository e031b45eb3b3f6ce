import * as v from 'valibot'
import { families } from './account.ts'
import type { Shipment } from './carrier.ts'
import type { Charge } from './charge.ts'
import type { Context } from './context.ts'
import { named } from './named.ts'
import { orderStatusNames } from './order-status.ts'

const [ownFamily, ...otherFamilies] = families

/** An order of another family than local delivery, as lists and searches show it. */
export const registeredOrder = named(
  'RegisteredOrder',
  v.strictObject({
    id: v.number(),
    order_id: v.number(),
    family: v.picklist(otherFamilies),
    tracking_number: v.exactOptional(v.pipe(v.string(), v.description('Of its first parcel.'))),
    tracking_numbers: v.pipe(v.array(v.string()), v.description('Of each of its parcels that has one.')),
    reference: v.exactOptional(v.string()),
    status: v.pipe(v.picklist(orderStatusNames), v.description('How far it is, as all orders say it.')),
    order_status_id: v.number(),
    state: v.pipe(v.string(), v.description('Its status in the words of its family, as LABEL_PURCHASE_FAILED.')),
    carrier: v.exactOptional(v.pipe(v.string(), v.description('Who carries it.'))),
    service: v.exactOptional(v.string()),
    created_at: v.pipe(v.string(), v.description('ISO 8601, in the time zone of the business.')),
    updated_at: v.pipe(v.string(), v.description('When it last changed: ISO 8601, in the time zone of the business.')),
  }),
)

/** An order of another family than local delivery. */
export type RegisteredOrder = v.InferOutput<typeof registeredOrder>

/** The family of orders that the business delivers itself. */
export const localDelivery = ownFamily

/** What orders of the register are narrowed by. */
export interface RegisterFilter {
  readonly family?: string
  /** The number of a status of orders. */
  readonly status?: number
  readonly state?: string
  readonly carrier?: string
  readonly reference?: string
}

/** Something that happened to an order of a family. */
export interface FamilyEvent {
  readonly event_id: string
  readonly type: string
  /** ISO 8601, UTC. */
  readonly at: string
  readonly by: number | null
  /** The carrier whose report it was. */
  readonly reported_by?: string
}

/** What lists, searches and timelines of orders need of a family; its events feed the read model `orders`. */
export interface OrderFamily {
  readonly name: (typeof otherFamilies)[number]
  /** The scope that reading one takes, beside that of orders. */
  readonly scope: string
  /** What people call one, and where its pages are below /records, as `label`. */
  readonly noun: string
  /** An order by its id; undefined if the caller may not see it. */
  find(context: Context, id: number): Promise<RegisteredOrder | undefined>
  /** The id of the newest order with a tracking number of any of its parcels; undefined if the caller may not see one. */
  numbered(context: Context, trackingNumber: string): Promise<number | undefined>
  /** From where to where it goes, and what, for who may see it; undefined once it is erased. */
  shipment(context: Context, id: number): Promise<Shipment | undefined>
  /** What one costs its customer; undefined if it costs nothing. */
  charge(context: Context, id: number): Promise<Charge | undefined>
  /** Everything that happened to it, oldest first. */
  events(context: Context, id: number): Promise<readonly FamilyEvent[]>
}
