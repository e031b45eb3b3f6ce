import type { CarrierFailure, CarrierLabel, CarrierRefusal, Shipment } from '../../kernel/carrier.ts'
import type { Event } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import type { Exchange } from '../../kernel/exchange.ts'

/** What every event of a label says. */
interface Told {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly order_id: number
  readonly business_id: number
}

/** A label is to be bought: for the first time, or again after its purchase failed. */
export type LabelAsked = Event<
  'LabelAsked',
  Told & {
    /** The acting account. */
    readonly by: number
    /** The idempotency key that the carrier gets. It is random, so that it is never that of another history. */
    readonly key: string
    readonly carrier_account_id: number
    readonly carrier: string
    readonly service: string
    /** In hundredths of the currency. */
    readonly amount: number
    readonly currency: string
    /** How the price is converted, if it is in another currency than that of the business. */
    readonly exchange?: Exchange
    /** What the carrier calls the rate. */
    readonly rate_reference?: string
    readonly parcels: Shipment['parcels']
    /** As the business calls the shipment. */
    readonly reference?: string
    readonly personal?: Pick<Shipment, 'from' | 'to'>
  }
>

/** The carrier is asked from now on; nobody else asks it before `until`. */
type LabelTried = Event<'LabelTried', Told & { readonly until: string }>

/** It is not known whether the carrier did what it was asked. It is asked again. */
type LabelUnclear = Event<'LabelUnclear', Told & { readonly failure: CarrierFailure; readonly next_at: string }>

/** The carrier sold the label. Its document shows who sends and receives. */
type LabelBought = Event<
  'LabelBought',
  Told & {
    readonly label: Omit<CarrierLabel, 'document'>
    readonly personal?: { readonly document: NonNullable<CarrierLabel['document']> }
  }
>

/** The carrier refused; what it says may tell of people. */
type Refused = Told & { readonly refusal: CarrierRefusal['code']; readonly personal?: { readonly message: string } }

/** The carrier refused to sell the label. */
type LabelPurchaseFailed = Event<'LabelPurchaseFailed', Refused>

/** The label is to be voided. */
type LabelVoidAsked = Event<'LabelVoidAsked', Told & { readonly by: number }>

/** The carrier took the label back. */
type LabelVoided = Event<'LabelVoided', Told>

/** The carrier did not take the label back. */
type LabelVoidRefused = Event<'LabelVoidRefused', Refused>

/** The label is part of a manifest that is to be closed. */
type LabelManifestAsked = Event<'LabelManifestAsked', Told & { readonly manifest_id: number }>

/** The carrier closed the manifest. */
type LabelSubmitted = Event<
  'LabelSubmitted',
  Told & { readonly manifest_id: number; readonly manifest_reference: string }
>

/** The carrier did not close the manifest, so the label is open again. */
type LabelManifestRefused = Event<'LabelManifestRefused', Told & { readonly manifest_id: number }>

/** The label is part of a pickup that its carrier is to be asked for. */
type LabelPickupAsked = Event<'LabelPickupAsked', Told & { readonly pickup_id: number }>

/** The personal data of the label is erased for good. */
type LabelForgotten = Event<'LabelForgotten', Told>

/** The events of a label. */
export type LabelEvent =
  | LabelAsked
  | LabelTried
  | LabelUnclear
  | LabelBought
  | LabelPurchaseFailed
  | LabelVoidAsked
  | LabelVoided
  | LabelVoidRefused
  | LabelManifestAsked
  | LabelSubmitted
  | LabelManifestRefused
  | LabelPickupAsked
  | LabelForgotten

/** The states of a label. In a pending one, the carrier is yet to answer. */
export const labelStatuses = [
  ...(['LABEL_PENDING', 'LABEL_PURCHASED', 'LABEL_PURCHASE_FAILED'] as const),
  ...(['LABEL_VOID_PENDING', 'LABEL_VOIDED', 'LABEL_SUBMIT_PENDING', 'LABEL_SUBMITTED'] as const),
] as const

/** The state of a label. */
export type LabelStatus = (typeof labelStatuses)[number]

/** The state after each event; absent if it stays. */
export const statusAfter: Readonly<Record<LabelEvent['type'], LabelStatus | undefined>> = {
  LabelAsked: 'LABEL_PENDING',
  LabelTried: undefined,
  LabelUnclear: undefined,
  LabelBought: 'LABEL_PURCHASED',
  LabelPurchaseFailed: 'LABEL_PURCHASE_FAILED',
  LabelVoidAsked: 'LABEL_VOID_PENDING',
  LabelVoided: 'LABEL_VOIDED',
  LabelVoidRefused: 'LABEL_PURCHASED',
  LabelManifestAsked: 'LABEL_SUBMIT_PENDING',
  LabelSubmitted: 'LABEL_SUBMITTED',
  LabelManifestRefused: 'LABEL_PURCHASED',
  LabelPickupAsked: undefined,
  LabelForgotten: undefined,
}

/** The shapes of the events of a label. */
export const labelEventShapes: ShapesOf<LabelEvent> = {
  LabelAsked: {
    at: 'text',
    order_id: 'number',
    business_id: 'number',
    by: 'number',
    key: 'text',
    carrier_account_id: 'number',
    carrier: 'text',
    service: 'text',
    amount: 'number',
    currency: 'text',
    exchange: 'object?',
    rate_reference: 'text?',
    parcels: 'list',
    reference: 'text?',
  },
  LabelTried: { at: 'text', order_id: 'number', business_id: 'number', until: 'text' },
  LabelUnclear: { at: 'text', order_id: 'number', business_id: 'number', failure: 'text', next_at: 'text' },
  LabelBought: { at: 'text', order_id: 'number', business_id: 'number', label: 'object' },
  LabelPurchaseFailed: { at: 'text', order_id: 'number', business_id: 'number', refusal: 'text' },
  LabelVoidAsked: { at: 'text', order_id: 'number', business_id: 'number', by: 'number' },
  LabelVoided: { at: 'text', order_id: 'number', business_id: 'number' },
  LabelVoidRefused: { at: 'text', order_id: 'number', business_id: 'number', refusal: 'text' },
  LabelManifestAsked: { at: 'text', order_id: 'number', business_id: 'number', manifest_id: 'number' },
  LabelSubmitted: {
    at: 'text',
    order_id: 'number',
    business_id: 'number',
    manifest_id: 'number',
    manifest_reference: 'text',
  },
  LabelManifestRefused: { at: 'text', order_id: 'number', business_id: 'number', manifest_id: 'number' },
  LabelPickupAsked: { at: 'text', order_id: 'number', business_id: 'number', pickup_id: 'number' },
  LabelForgotten: { at: 'text', order_id: 'number', business_id: 'number' },
}

/** When the carrier is to be asked after an event (ISO 8601, UTC); null if there is nothing to ask. */
export function dueAfter(event: LabelEvent): string | null {
  switch (event.type) {
    case 'LabelAsked':
    case 'LabelVoidAsked':
      return event.data.at
    case 'LabelTried':
      return event.data.until
    case 'LabelUnclear':
      return event.data.next_at
    default:
      return null
  }
}
