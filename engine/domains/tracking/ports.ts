import type { Brand } from '../../kernel/brand.ts'
import type { Context, Facts } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { PlannedDelivery } from '../../kernel/order-due.ts'
import type { KeptSource, SourceEvent } from '../../kernel/projection.ts'
import type { SensorReading } from '../../kernel/sensor-reading.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { SensorSummary, Subject } from '../../kernel/timeline.ts'

/** An order, with the members that webhook events about its parcel need. */
export interface TrackedOrder {
  readonly id: number
  readonly businessId: number
  readonly customerId?: number | undefined
  /** The sender's reference. */
  readonly reference?: string | undefined
  /** The shop that it was ordered in. */
  readonly shop?: number | undefined
  /** Whether another carrier has the order, or had it. */
  readonly isByCarrier: boolean
}

/** An order, and the carriers that contradict each other on its parcel. */
interface ContradictedOrder {
  readonly order_id: number
  readonly tracking_number: string
  readonly contradicting: string
}

/** What tracking needs of other domains. */
export interface TrackingPorts {
  /** The businesses of the orders and labels that a subject names by tracking number and order id; empty if there are none. */
  businessesOf(facts: Facts, subject: Subject): Promise<readonly number[]>
  /** The only business that a provider reports for; undefined if it reports for all, or is unknown. */
  businessOfProvider(facts: Facts, name: string): Promise<number | undefined>
  /** The format of the webhooks that a provider sends, the secret that proves them, and the only business that it reports for. */
  webhookOfProvider(
    facts: Facts,
    name: string,
  ): Promise<{ readonly format: string; readonly secret: string; readonly businessId?: number | undefined } | undefined>
  /** The append that keeps names, under which an operator records events, from becoming providers of businesses; none if all are. */
  reservedNames(context: Context, names: readonly string[]): Promise<readonly Append[]>
  /** The brand of a business, if it has one. */
  brandOf(facts: Facts, business: number): Promise<Brand | undefined>
  /** Whether the caller, an account, may see the order that a subject names, first by tracking number and then by order id, or the label. */
  isOwn(context: Context, subject: Subject): Promise<boolean>
  /** The postal code that the order or label of a subject is delivered to, if it is known. */
  postalCodeOf(facts: Facts, subject: Subject): Promise<string | undefined>
  /** The order that a subject names, first by tracking number and then by order id, or the label, as of a position of the store. */
  orderOf(facts: Facts, subject: Subject, position: string): Promise<TrackedOrder | undefined>
  /** When the order with a tracking number is to be delivered by its business; undefined if that is not planned. */
  plannedDelivery(context: Context, number: string): Promise<PlannedDelivery | undefined>
  /** Orders whose carriers contradict each other, newest first, as far as the caller may see them. */
  contradictedOrders(
    context: Context,
    range: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly orders: readonly ContradictedOrder[]; readonly total: number }>
  /**
   * Orders and labels with ids from `first` on, in order of id: those that the caller, an account, may see, or those of the
   * business of a provider.
   */
  ordersFrom(
    context: Context,
    first: number,
    limit: number,
  ): Promise<readonly { readonly id: number; readonly numbers: readonly string[] }[]>
  /** The kept source events that one call adds to; opened again when another writer was faster. */
  openSources(context: Context): SourceBook
  /** What is kept of source events: what was last said with each id, and the declarations that it was an error. */
  sourcesOf(facts: Pick<Facts, 'store'>, names: readonly SourceName[]): Promise<readonly (readonly KeptSource[])[]>
  /** Erases source events for good. */
  eraseSources(context: Context, names: readonly SourceName[]): Promise<void>
  /** The readings of sensors that one call adds; opened again when another writer was faster. */
  openReadings(context: Context): ReadingBook
  /** The stream that says what all sensors of the timeline in a stream have measured. */
  seriesStreamOf(timeline: StreamName): StreamName
  /** What the sensors of the timeline in a stream have measured; `publicly` without what names devices and places. */
  sensorsOf(facts: Pick<Facts, 'store'>, timeline: StreamName, publicly: boolean): Promise<readonly SensorSummary[]>
  /** Erases where the sensors of a timeline were. */
  eraseReadings(context: Context, timeline: StreamName): Promise<void>
  /** Ends the news of a timeline, and erases the addresses of those who get them. */
  eraseNews(context: Context, timeline: StreamName): Promise<void>
}

/** Identifies a source event. Ids are the provider's own, so the provider is part of the name. */
export interface SourceName {
  readonly provider: string
  readonly id: string
}

/** Keeps readings of sensors in the same transaction as what else a call records. */
export interface ReadingBook {
  /**
   * Adds readings to a timeline; without positions if its personal data was erased. Refuses with `too_many_readings` and
   * `too_many_series`.
   */
  add(
    thing: {
      readonly timeline: StreamName
      readonly subject: Subject
      readonly provider: string
      readonly isErased: boolean
    },
    readings: readonly SensorReading[],
  ): Promise<unknown>
  /** The events to append, one entry for each stream. */
  appends(): Promise<readonly Append[]>
}

/** Keeps source events in the same transaction as what is made of them. */
export interface SourceBook {
  /** Whether a source event is new, already kept, or `other` than what is kept with its id. */
  compare(provider: string, source: SourceEvent): Promise<'new' | 'known' | 'other'>
  /** Keeps a source event, unless it is known. */
  keep(provider: string, source: SourceEvent): Promise<void>
  /** The events to append, one entry for each stream. */
  appends(): readonly Append[]
}

declare module '../../kernel/context.ts' {
  interface Ports {
    readonly tracking: TrackingPorts
  }
}
