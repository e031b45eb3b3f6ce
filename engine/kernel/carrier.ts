import * as v from 'valibot'
import { trackedEntries } from './carrier-scan.ts'
import { customs } from './customs.ts'
import { customsDocument, labelDocument } from './label-documents.ts'
import { amountText, currencyCode, exact } from './money.ts'
import { named } from './named.ts'
import { shipmentParcel } from './parcel.ts'
import { addressEntries, addressed } from './places/address.ts'
import { identifier, text, word } from './schemas.ts'

const count = (least: number, most: number) => v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most))

const partyEntries = {
  ...{ name: v.exactOptional(word(100)), phone: v.exactOptional(word(40)), email: v.exactOptional(word(254)) },
  ...addressEntries,
  ...{ street: v.exactOptional(addressEntries.street), country: addressEntries.country.wrapped },
}

/** Who sends or receives a shipment. To quote one, the country and what decides the zone suffice. */
const shipmentParty = named('ShipmentParty', addressed(v.strictObject(partyEntries)))

/** What is to be shipped. */
export const shipmentEntries = {
  from: v.pipe(shipmentParty, v.description('Who sends.')),
  to: v.pipe(shipmentParty, v.description('Who receives.')),
  parcels: v.pipe(v.array(shipmentParcel), v.minLength(1), v.maxLength(20)),
  customs: v.exactOptional(v.pipe(customs, v.description('What it declares to customs.'))),
}

/** Who sends or receives what is booked: a name and a street are needed, too. */
const shipperEntries = { ...partyEntries, name: word(100), street: addressEntries.street }
const shipper = named('Shipper', addressed(v.strictObject(shipperEntries)))

/** Where labels are picked up, and whom the driver asks there. */
export const pickupPlace = named('PickupPlace', addressed(v.strictObject({ ...shipperEntries, phone: word(40) })))

/** What is to be booked. */
export const bookedEntries = {
  from: v.pipe(shipper, v.description('Who sends.')),
  to: v.pipe(shipper, v.description('Who receives.')),
  parcels: shipmentEntries.parcels,
  reference: v.exactOptional(v.pipe(identifier(100), v.description('As the business calls the shipment.'))),
  customs: shipmentEntries.customs,
}

/** Who sends or receives a shipment. */
export type ShipmentParty = v.InferOutput<typeof shipmentParty>

/** What is to be shipped. */
export type Shipment = v.InferOutput<v.StrictObjectSchema<typeof shipmentEntries, undefined>>

/** Why a carrier refuses. A refusal is final: nothing was done, and asking the same again has the same answer. */
export const refusalCodes = [
  ...(['not_served', 'not_offered', 'too_heavy', 'wrong_credentials', 'no_funds'] as const),
  ...(['price_changed', 'unknown_number', 'too_late', 'other'] as const),
] as const

const refusal = v.strictObject({
  refused: v.strictObject({ code: v.picklist(refusalCodes), message: text(500) }),
})

const money = { amount: amountText, currency: currencyCode }

const offer = v.strictObject({
  service: word(60),
  service_name: v.exactOptional(word(100)),
  ...money,
  transit_days: v.exactOptional(count(0, 365)),
  reference: v.exactOptional(word(2000)),
})

/** A label that a carrier sold. */
export const carrierLabel = v.strictObject({
  reference: word(200),
  tracking_numbers: v.pipe(v.array(word(100)), v.minLength(1), v.maxLength(20)),
  ...money,
  document: v.exactOptional(labelDocument),
  customs_document: v.exactOptional(customsDocument),
})

/** A pickup that a carrier has booked. */
export const carrierPickup = v.strictObject({
  reference: word(200),
  confirmation_number: v.exactOptional(word(100)),
  charge: v.exactOptional(v.pipe(v.strictObject(money), exact())),
})

/** What a carrier answers to each question, or a refusal. Other members, and answers of other forms, are not accepted. */
export const carrierAnswers = {
  rate: v.union([refusal, v.strictObject({ rates: v.pipe(v.array(v.pipe(offer, exact())), v.maxLength(50)) })]),
  buy: v.union([refusal, v.strictObject({ label: v.pipe(carrierLabel, exact()) })]),
  void: v.union([refusal, v.strictObject({ voided: v.literal(true) })]),
  manifest: v.union([refusal, v.strictObject({ manifest: v.strictObject({ reference: word(200) }) })]),
  track: v.union([refusal, v.strictObject(trackedEntries)]),
  receive: v.union([
    refusal,
    v.strictObject({
      reports: v.pipe(v.array(v.strictObject({ tracking_number: word(100), ...trackedEntries })), v.maxLength(100)),
    }),
  ]),
  pickup: v.union([refusal, v.strictObject({ pickup: carrierPickup })]),
  cancelPickup: v.union([refusal, v.strictObject({ cancelled: v.literal(true) })]),
  document: v.union([refusal, v.strictObject({ content: v.pipe(v.string(), v.maxLength(4_000_000), v.base64()) })]),
} as const

/** A question to a carrier. */
export type CarrierMethod = keyof typeof carrierAnswers

/** The answer of a carrier to a question, or its refusal. */
export type CarrierAnswer<Method extends CarrierMethod> = v.InferOutput<(typeof carrierAnswers)[Method]>

/** Why a carrier refuses, in its own words. */
export type CarrierRefusal = v.InferOutput<typeof refusal>['refused']

/**
 * What one way of shipping costs at a carrier; `reference` is its own name for the rate, which it gets back in a purchase. A service
 * that is none of its ways of shipping has a `service_name`.
 */
export type CarrierOffer = v.InferOutput<typeof offer>

/** A label that a carrier sold: its own name for the shipment, its tracking numbers (one for each parcel, or one for all), and where its documents are. */
export type CarrierLabel = v.InferOutput<typeof carrierLabel>

/** A pickup that a carrier has booked: its own name for it, the number that its driver knows, and what it costs where it says so. */
export type CarrierPickup = v.InferOutput<typeof carrierPickup>

/** A label that is bought. */
export interface Purchase extends Shipment {
  /** Names the purchase: however often it is asked, also at once, the same label is sold once. */
  readonly key: string
  /** When it was asked first (ISO 8601, UTC); the same with the same key. */
  readonly asked_at: string
  /** A service that the carrier offered. */
  readonly service: string
  /** The reference of the offer, if it had one. */
  readonly reference?: string
  /** The price of the offer: decimal text. Another price is refused with `price_changed`. */
  readonly amount: string
  readonly currency: string
}

/** A pickup of labels that were bought. */
export interface PickupRequest {
  /** Names the request: however often it is asked, also at once, one driver comes. */
  readonly key: string
  /** When it was asked first (ISO 8601, UTC); the same with the same key. */
  readonly asked_at: string
  readonly labels: readonly Pick<CarrierLabel, 'reference' | 'tracking_numbers'>[]
  readonly place: v.InferOutput<typeof pickupPlace>
  /** From when on the parcels are ready, and until when somebody is there (ISO 8601, UTC); both on one day in the time zone. */
  readonly ready_at: string
  readonly closes_at: string
  /** IANA Time Zone Database. */
  readonly time_zone: string
  /** What the driver is to know, and where the parcels are. */
  readonly instruction?: string
  readonly location?: string
}

/** The input of each question. */
export interface CarrierInputs {
  readonly rate: Shipment
  readonly buy: Purchase
  readonly void: Pick<CarrierLabel, 'reference' | 'tracking_numbers'>
  readonly manifest: {
    readonly labels: readonly Pick<CarrierLabel, 'reference' | 'tracking_numbers'>[]
  }
  readonly track: { readonly tracking_number: string }
  /** A request that came to the address of the account; header names are in lower case. */
  readonly receive: { readonly body: Uint8Array; readonly headers: Readonly<Record<string, string>> }
  readonly pickup: PickupRequest
  readonly cancelPickup: Pick<CarrierPickup, 'reference'>
  readonly document: Pick<CarrierLabel, 'reference' | 'tracking_numbers'> & Required<Pick<CarrierLabel, 'document'>>
}

/** What comes with every question. */
export interface CarrierCall<Credentials = unknown> {
  /** Those of the account, as the schema of the carrier says. */
  readonly credentials: Credentials
  /** The currency of the business (ISO 4217). */
  readonly currency: string
  /** Epoch milliseconds. */
  readonly now: number
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

type CarrierMethods<Credentials> = {
  readonly [Method in CarrierMethod]: (
    input: CarrierInputs[Method],
    call: CarrierCall<Credentials>,
  ) => Promise<CarrierAnswer<Method>>
}

/** The questions that a carrier need not answer. */
export const optionalMethods = [
  'document',
  'receive',
  'pickup',
  'cancelPickup',
] as const satisfies readonly CarrierMethod[]

type OptionalMethod = (typeof optionalMethods)[number]

/**
 * A carrier. What it throws, and an answer of another form, is no answer: whether anything was done is then not known.
 *
 * - `rate` says what each way of shipping costs; none where it does not serve.
 * - `buy` sells a label once for each key. `void` takes it back, once or again; `track` says what became of a number.
 * - `manifest` closes the day for labels; the same labels again have the same manifest.
 * - `receive` reads what the carrier sends by itself. What is not signed with the credentials of the account is refused with
 *   `wrong_credentials`. Without it, parcels are only asked for.
 * - `pickup` has a driver come for labels, once for each key; `cancelPickup` calls it off, once or again. A carrier has both or neither.
 * - `document` fetches the document of a label, in base64. A label without a document is printed by this server.
 */
export interface Carrier<Credentials = never>
  extends Omit<CarrierMethods<Credentials>, OptionalMethod>,
    Partial<Pick<CarrierMethods<Credentials>, OptionalMethod>> {
  /** Lower-case letters, digits and single hyphens. */
  readonly name: string
  /** As people know it. */
  readonly title: string
  /** The schema of its credentials: an object whose members are texts. */
  readonly credentials: v.GenericSchema
  /** Its ways of shipping; none where each account has its own, which are known from its offers. */
  readonly services: readonly { readonly code: string; readonly name: string }[]
  /** Whether nothing is carried, so that its labels are marked as samples. */
  readonly isSample?: boolean
}

/** The name of the carrier that a business is itself. */
export const ownFleetName = 'own-fleet'

/** What became of a question. After a failure, it is not known whether anything was done. */
export type CarrierOutcome<Method extends CarrierMethod> =
  | { readonly kind: 'answered'; readonly answer: Exclude<CarrierAnswer<Method>, { readonly refused: unknown }> }
  | { readonly kind: 'refused'; readonly refusal: CarrierRefusal }
  | { readonly kind: 'failed'; readonly failure: CarrierFailure }

/** Why there is no answer: it took too long, the carrier threw, its answer had another form, or too many wait for it. */
export type CarrierFailure = 'timed_out' | 'broken' | 'wrong_answer' | 'too_busy'

/** How a carrier is asked. */
export interface CarrierAsking {
  /** The business that asks: no one takes all the places at a carrier. */
  readonly business: number
  readonly credentials: unknown
  readonly currency: string
  /** Milliseconds until the answer is not waited for any more. */
  readonly deadline: number
}

/** The carriers of this server. */
export interface Carriers {
  /** Those that are built in outside of the engine, and those of plug-ins. */
  readonly installed: readonly Carrier[]
  /** Asks a carrier. Never throws: what a carrier does wrong is an outcome. */
  ask<Method extends CarrierMethod>(
    carrier: Carrier,
    method: Method,
    input: CarrierInputs[Method],
    asking: CarrierAsking,
  ): Promise<CarrierOutcome<Method>>
}
