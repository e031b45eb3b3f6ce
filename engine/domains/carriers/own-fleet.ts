import * as v from 'valibot'
import {
  type Carrier,
  type CarrierInputs,
  ownFleetName,
  type Purchase,
  type Shipment,
  type ShipmentParty,
} from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import { type EngineError, isRefusal } from '../../kernel/errors.ts'
import type { Event } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import { deriveId, sha256 } from '../../kernel/id.ts'
import { messageOf } from '../../kernel/messages/index.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { bareParcels } from '../../kernel/parcel.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { orderFor } from '../../kernel/uniorder.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import type { OwnContents, OwnRate } from './ports.ts'

/** A purchase became an order. Its stream is named after the key of the purchase, so that it becomes one only once. */
type OwnFleetBooked = Event<
  'OwnFleetBooked',
  { readonly business_id: number; readonly order_id: number; readonly tracking_number: string }
>

/** The shape of this event. */
export const ownFleetEventShapes: ShapesOf<OwnFleetBooked> = {
  OwnFleetBooked: { business_id: 'number', order_id: 'number', tracking_number: 'text' },
}

/**
 * The drivers of the business as a carrier: its price list says what a delivery costs, and to buy a label is to take an order,
 * from the sender to the recipient. Everything is done as the caller of the context.
 */
export function ownFleet(context: Context, methods: Carrier['services']): Carrier {
  return {
    name: ownFleetName,
    title: 'Own fleet',
    credentials: v.strictObject({}),
    services: methods,
    rate: (shipment) => rate(context, shipment),
    buy: (purchase) => buy(context, purchase),
    void: ({ reference }) => cancelled(context, reference),
    manifest: async ({ labels }) => ({ manifest: { reference: manifestOf(labels) } }),
    track: async ({ tracking_number }) => {
      const events = await context.ports.carriers.scansOf(context, tracking_number)
      return events === undefined ? refused('unknown_number', 'There is no such number.') : { events: [...events] }
    },
  }
}

async function rate(context: Context, shipment: Shipment) {
  try {
    const rates = await ratesOf(context, shipment)
    return {
      rates: rates.map(({ service, amount, currency, version, day }) => ({
        ...{ service, amount, currency, reference: `${version} ${day}` },
      })),
    }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return refused('other', reasonIn(error, context))
  }
}

/** What is wrong with an input, if it is that, in the language of the caller. */
function reasonIn({ code, params, findings: [first] }: EngineError, { messages }: Context): string {
  return messageOf(first?.code ?? code, first?.params ?? params, messages).slice(0, 500)
}

function refused<const Code extends string>(code: Code, message: string) {
  return { refused: { code, message } }
}

function customerOf({ caller: { account } }: Pick<Context, 'caller'>): number | undefined {
  return account?.role === 'customer' ? account.id : undefined
}

/** The rates of the price list for a shipment; those that were quoted, if `reference` names them. */
function ratesOf(context: Context, shipment: Shipment, reference?: string): Promise<readonly OwnRate[]> {
  const [version, day] = reference?.split(' ') ?? []
  const quoted = version === undefined || day === undefined ? {} : { version: Number(version), day }
  return context.ports.carriers.ownRates(context, contentsOf(shipment), { customerId: customerOf(context), ...quoted })
}

/** What decides the price of a shipment. */
export function contentsOf({ from, to, parcels }: Shipment): OwnContents {
  return {
    type: 'P2P',
    pickup: placeOf(from),
    delivery: placeOf(to),
    items: parcels.length,
    parcels: bareParcels(parcels),
  }
}

function placeOf({ locality, region, postal_code, country, latitude, longitude }: ShipmentParty) {
  return { country, ...omitUndefined({ locality, region, postal_code, latitude, longitude }) }
}

async function buy(context: Context, purchase: Purchase) {
  const stream: StreamName = `own_fleet-${deriveId('own fleet', purchase.key)}`
  try {
    return await retryOnConflict(async () => {
      const [booked] = (await context.store.read(stream, { limit: 1 })) as readonly OwnFleetBooked[]
      return booked === undefined ? await book(context, purchase, stream) : labelOf(booked, purchase)
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    return refused('other', reasonIn(error, context))
  }
}

async function book(context: Context, purchase: Purchase, stream: StreamName) {
  const rates = await ratesOf(context, purchase, purchase.reference)
  const rate = rates.find(({ service }) => service === purchase.service)
  if (rate === undefined) return refused('not_offered', 'The price list has no such service for it.')
  if (rate.amount !== purchase.amount || rate.currency !== purchase.currency)
    return refused('price_changed', 'The price is another one.')
  const { first: order_id, append } = await nextNumbers(context, 'order')
  const { trackingNumber: tracking_number, appends } = await context.ports.carriers.draftOrder(
    context,
    { ...orderFor(purchase), rate_id: rate.rateId, schedule_date: rate.day },
    { id: order_id, source: 'single' },
  )
  const { account, businessId = 0 } = context.caller
  const data = { business_id: account?.business.id ?? businessId, order_id, tracking_number }
  const booked: OwnFleetBooked = { type: 'OwnFleetBooked', data }
  const note = { stream, events: [toNewEvent(context)(booked)], expected: 'no-stream' } as const
  await context.store.appendMany([append, ...appends, note])
  return labelOf(booked, purchase)
}

function labelOf({ data: { order_id, tracking_number } }: OwnFleetBooked, { amount, currency }: Purchase) {
  return { label: { reference: String(order_id), tracking_numbers: [tracking_number], amount, currency } }
}

async function cancelled(context: Context, reference: string) {
  try {
    const isCancelled = await context.ports.carriers.cancelOrder(context, Number(reference))
    return isCancelled ? ({ voided: true } as const) : refused('too_late', 'The order cannot be cancelled any more.')
  } catch (error) {
    if (!isRefusal(error)) throw error
    return refused('unknown_number', 'There is no such order.')
  }
}

function manifestOf(labels: CarrierInputs['manifest']['labels']): string {
  const references = labels.map(({ reference }) => reference).sort()
  return `OF${sha256(references.join(' ')).slice(0, 20).toUpperCase()}`
}
