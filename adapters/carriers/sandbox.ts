import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import {
  type Carrier,
  type CarrierCall,
  convertedAmount,
  isoOf,
  type PickupRequest,
  type Purchase,
  recordedAmount,
  type Shipment,
  type ShipmentParty,
  sha256,
} from '../../engine/index.ts'

const services = [
  { code: 'standard', name: 'Sandbox Standard' },
  { code: 'express', name: 'Sandbox Express' },
] as const

/** Hundredths for the first zone, and for each further one and each started half kilogram. */
const tariffs = { standard: { base: 600, step: 150 }, express: { base: 1400, step: 320 } } as const

const heaviest = 30_000
const [hour, day] = [3_600_000, 86_400_000]

/** How long after the purchase a parcel is picked up; until then its label can be voided. */
const pickup = 4 * hour

const credentials = v.strictObject({
  account: v.pipe(v.string(), v.minLength(1), v.maxLength(60)),
  webhook_secret: v.exactOptional(v.pipe(v.string(), v.minLength(16), v.maxLength(200))),
})

type Credentials = v.InferOutput<typeof credentials>
type Call = CarrierCall<Credentials>

/** What goes wrong for a postal code of the recipient. */
const faults = {
  '00000': 'not served',
  '00001': 'no rate in time',
  '00002': 'no label in time',
  '00003': 'breaks at a rate',
  '00004': 'breaks at a label',
  '00005': 'no funds',
  '00006': 'wrong answer',
  '00007': 'not tracked in time',
  '00008': 'breaks at tracking',
  '00009': 'returned',
} as const

/** Days in transit by which a number says that its parcel fares so. */
const fates = { returned: 7, 'breaks at tracking': 8, 'not tracked in time': 9 } as const

/**
 * A carrier for tests and demonstrations: the same input has the same answer, and tracking numbers say by themselves when
 * they were bought and how long the parcel takes, so nothing is stored. `docs/how-to/ship-with-labels.md` lists what the account
 * `wrong` and the postal codes from 00000 do.
 */
export const sandbox: Carrier<Credentials> = {
  name: 'sandbox',
  title: 'Sandbox',
  credentials,
  services,
  isSample: true,
  rate: async (shipment, call) => {
    const refused = refusal(shipment, call)
    if (refused !== undefined) return refused
    const fault = faultOf(shipment.to)
    if (fault === 'no rate in time') await never(call.signal)
    if (fault === 'breaks at a rate') throw new Error('the sandbox breaks, as asked')
    const rates = services.map(({ code }) => ({
      ...offerOf(shipment, code, call),
      reference: `${code}-${zoneOf(shipment)}`,
    }))
    return fault === 'wrong answer' ? { rates: rates.map((rate) => ({ ...rate, amount: '-1' })) } : { rates }
  },
  buy: async (purchase, call) => {
    const refused = refusal(purchase, call)
    if (refused !== undefined) return refused
    const fault = faultOf(purchase.to)
    if (fault === 'no label in time') await never(call.signal)
    if (fault === 'breaks at a label') throw new Error('the sandbox breaks, as asked')
    if (fault === 'no funds') return { refused: { code: 'no_funds', message: 'The account has no funds.' } }
    return sold(purchase, call)
  },
  void: async ({ tracking_numbers }, { now }) => {
    const parcels = tracking_numbers.map(parcelOf)
    if (parcels.includes(undefined)) return unknownNumber
    const isTooLate = parcels.some((parcel) => parcel !== undefined && now >= parcel.boughtAt + pickup)
    return isTooLate ? { refused: { code: 'too_late', message: 'The parcel was picked up.' } } : { voided: true }
  },
  manifest: async ({ labels }) => {
    const references = labels.map(({ reference }) => reference).sort()
    return { manifest: { reference: `SBM${sha256(references.join(' ')).slice(0, 20).toUpperCase()}` } }
  },
  track: async ({ tracking_number }, { now, signal, credentials: { account } }) => {
    if (account === 'wrong') return noAccount
    const parcel = parcelOf(tracking_number)
    if (parcel === undefined) return unknownNumber
    if (parcel.days === fates['not tracked in time']) await never(signal)
    if (parcel.days === fates['breaks at tracking']) throw new Error('the sandbox breaks, as asked')
    return {
      events: eventsOf(parcel)
        .filter(({ at }) => at <= now)
        .map(eventOf),
    }
  },
  pickup: async (request, call) => {
    const fault = faultOf(request.place)
    if (call.credentials.account === 'wrong') return noAccount
    if (fault === 'not served') return { refused: { code: 'not_served', message: 'The postal code is not served.' } }
    if (fault === 'no label in time') await never(call.signal)
    if (fault === 'breaks at a label') throw new Error('the sandbox breaks, as asked')
    const isUnknown = request.labels.some(({ tracking_numbers }) => tracking_numbers.map(parcelOf).includes(undefined))
    return isUnknown ? unknownNumber : { pickup: pickupOf(request, call) }
  },
  cancelPickup: async ({ reference }, { now }) => {
    const [, minute] = /^SBP(\d{9})/.exec(reference) ?? []
    if (minute === undefined) return unknownNumber
    const isTooLate = now >= Number(minute) * 60_000
    return isTooLate ? { refused: { code: 'too_late', message: 'The driver is on the way.' } } : { cancelled: true }
  },
  receive: async ({ body, headers }, { credentials: { webhook_secret } }) => {
    if (webhook_secret === undefined || !isSigned(body, headers[signatureHeader], webhook_secret)) return noAccount
    return { reports: [v.parse(sent, JSON.parse(new TextDecoder().decode(body)))] }
  },
}

/** What the sandbox sends by itself. */
const sent = v.strictObject({
  tracking_number: v.string(),
  events: v.array(
    v.strictObject({
      event_id: v.exactOptional(v.string()),
      status_code: v.string(),
      occurred_at: v.string(),
      description: v.exactOptional(v.string()),
      locality: v.exactOptional(v.string()),
      country: v.exactOptional(v.string()),
    }),
  ),
})

/** The header with the HMAC-SHA256 of the body in hexadecimal digits. */
const signatureHeader = 'x-sandbox-signature'

function isSigned(body: Uint8Array, signature = '', secret: string): boolean {
  const [given, right] = [Buffer.from(signature), Buffer.from(signedBySandbox(body, secret))]
  return given.length === right.length && timingSafeEqual(given, right)
}

/** The signature of the sandbox under what it sends. */
export function signedBySandbox(body: string | Uint8Array, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

const noAccount = { refused: { code: 'wrong_credentials', message: 'There is no such account.' } } as const
const unknownNumber = { refused: { code: 'unknown_number', message: 'There is no such number.' } } as const

function refusal({ to, parcels }: Shipment, { credentials: { account } }: Call) {
  const refused = (code: 'not_served' | 'too_heavy', message: string) => ({
    refused: { code, message },
  })
  if (account === 'wrong') return noAccount
  if (faultOf(to) === 'not served') return refused('not_served', 'The postal code is not served.')
  const isHeavy = parcels.some(({ weight_grams }) => weight_grams > heaviest)
  return isHeavy ? refused('too_heavy', `A parcel weighs ${heaviest} g at most.`) : undefined
}

function faultOf({ postal_code = '' }: ShipmentParty): (typeof faults)[keyof typeof faults] | undefined {
  return Object.entries(faults).find(([code]) => code === postal_code)?.[1]
}

/** Rejects when the signal is aborted. */
function never(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** Zones 1 to 4 by the first characters of the postal codes, and 5 for another country. */
function zoneOf({ from, to }: Shipment): number {
  if (from.country !== to.country) return 5
  const first = ({ postal_code = '' }: ShipmentParty) => postal_code.trim().toUpperCase().charCodeAt(0) || 0
  return 1 + Math.min(3, Math.abs(first(from) - first(to)))
}

/** A price in hundredths as an amount of a currency, rounded to what the currency has. */
function amountIn(currency: string, price: number): string {
  return convertedAmount(recordedAmount(price, 'EUR'), { to: currency, rate: '1' })
}

function transitDays(zone: number, code: string): number {
  return code === 'express' ? Math.ceil(zone / 2) : zone + 1
}

function offerOf(shipment: Shipment, code: (typeof services)[number]['code'], { currency }: Call) {
  const zone = zoneOf(shipment)
  const { base, step } = tariffs[code]
  const steps = shipment.parcels.map(({ weight_grams }) => Math.ceil(weight_grams / 500) - 1 + zone - 1)
  const price = steps.reduce((sum, one) => sum + base + step * one, 0)
  const amount = amountIn(currency, price)
  return { service: code, amount, currency, transit_days: transitDays(zone, code) }
}

function sold(purchase: Purchase, call: Call) {
  const found = services.find(({ code }) => code === purchase.service)
  if (found === undefined) return { refused: { code: 'not_offered', message: 'There is no such service.' } } as const
  const { amount, currency, transit_days: days } = offerOf(purchase, found.code, call)
  if (amount !== purchase.amount || currency !== purchase.currency)
    return { refused: { code: 'price_changed', message: 'The price is another one.' } } as const
  const name = sha256(`${call.credentials.account} ${purchase.key}`)
  const fate = faultOf(purchase.to) as keyof typeof fates
  const tracking_numbers = purchase.parcels.map((_, place) =>
    numberOf(purchase.asked_at, fates[fate] ?? days, `${name} ${place}`),
  )
  const reference = `SBS${name.slice(0, 20).toUpperCase()}`
  return { label: { reference, tracking_numbers, amount, currency } }
}

/** A pickup of 5. Its reference tells by itself from when on the driver is on the way. */
function pickupOf({ key, ready_at }: PickupRequest, { credentials: { account }, currency }: Call) {
  const name = sha256(`${account} ${key}`).slice(0, 12).toUpperCase()
  const reference = `SBP${String(Math.floor(Date.parse(ready_at) / 60_000)).padStart(9, '0')}${name}`
  return { reference, confirmation_number: name.slice(0, 8), charge: { amount: amountIn(currency, 500), currency } }
}

/** `SB`, the minute of the purchase, the days in transit, eight digits of the key, and a check digit. */
function numberOf(askedAt: string, days: number, name: string): string {
  const minutes = String(Math.floor(Date.parse(askedAt) / 60_000)).padStart(9, '0')
  const chance = String(Number.parseInt(sha256(name).slice(0, 12), 16) % 100_000_000).padStart(8, '0')
  const digits = `${minutes}${days}${chance}`
  return `SB${digits}${checkDigit(digits)}`
}

/** Weights 3 and 1 from the right, as in keys of GS1. */
function checkDigit(digits: string): number {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 3 : 1), 0)
  return (10 - (sum % 10)) % 10
}

/** A parcel, as its number tells it. */
interface Parcel {
  /** Epoch milliseconds. */
  readonly boughtAt: number
  readonly days: number
}

function parcelOf(number: string): Parcel | undefined {
  const [, digits = '', check] = /^SB(\d{18})(\d)$/.exec(number) ?? []
  if (digits === '' || checkDigit(digits) !== Number(check)) return undefined
  return { boughtAt: Number(digits.slice(0, 9)) * 60_000, days: Number(digits.charAt(9)) }
}

function eventsOf({ boughtAt, days }: Parcel) {
  const delivery = boughtAt + days * day
  const between = Array.from({ length: days - 1 }, (_, index) => boughtAt + (index + 1) * day)
  return [
    { status_code: 'information_submitted', at: boughtAt },
    { status_code: 'picked_up', at: boughtAt + pickup },
    { status_code: 'received', at: boughtAt + pickup + 2 * hour },
    ...between.map((at) => ({ status_code: 'in_transit', at })),
    { status_code: 'out_for_delivery', at: delivery },
    ...(days === fates.returned
      ? [
          { status_code: 'delivery_failed', at: delivery + pickup },
          { status_code: 'return_to_sender', at: delivery + day },
        ]
      : [{ status_code: 'delivered', at: delivery + pickup }]),
  ]
}

function eventOf({ status_code, at }: ReturnType<typeof eventsOf>[number]) {
  return { status_code, occurred_at: isoOf(at) }
}
