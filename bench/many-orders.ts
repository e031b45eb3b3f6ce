import { createMemoryStore, type NewEvent, readModels, type StreamName } from '../engine/index.ts'
import { type Business, openBusiness } from './business.ts'

/** Orders of a call of the store while it is filled. */
const ordersAtOnce = 1_000

/** The number of the order that the others are copies of. */
const first = 999_999_999

/** Of ten orders, one is cancelled, and the others are new. */
const cancelledEvery = 10

/** Of three orders in a register of all families, one is a label. */
const labelEvery = 3

/** The tracking number of an order. */
export function numberOf(order: number): string {
  return `XN${String(order).padStart(9, '0')}`
}

/** The reference of an order. */
export function referenceOf(order: number): string {
  return `REF-${String(order).padStart(9, '0')}`
}

/** The name of the recipient of an order; a thousandth of the orders have the same first word. */
export function nameOf(order: number): string {
  return `Given${order % 1_000} Family${order}`
}

/** Whether an order is cancelled. */
export function isCancelled(order: number): boolean {
  return order % cancelledEvery === 0
}

/** Whether an order of a register of all families is a label. */
export function isLabel(order: number): boolean {
  return order % labelEvery === 0
}

/** A text about an order as one about another. */
export function renumbered(text: string, from: number, to: number): string {
  return text
    .replaceAll(new RegExp(`"(id|order_id)":${from}(?=[,}])`, 'g'), `"$1":${to}`)
    .replaceAll(numberOf(from), numberOf(to))
    .replaceAll(referenceOf(from), referenceOf(to))
    .replaceAll(nameOf(from), nameOf(to))
}

/** The events of an order that was cancelled, as a text, and how many of them it has while it is new. */
interface Template {
  readonly category: 'order' | 'label'
  readonly text: string
  readonly whileNew: number
}

/**
 * Fills the store of a business with orders from 1 on, and builds the read models that lists and searches of orders need. The
 * events are those of an order and a label that the engine has made, with other numbers and names.
 */
export async function fillOrders(
  business: Business,
  count: number,
  hasLabels: boolean,
  progress: (done: string) => void,
): Promise<void> {
  const { store, models } = business.parts
  const [local, label] = await templates()
  for (let from = 1; from <= count; from += ordersAtOnce) {
    const orders = Array.from({ length: Math.min(ordersAtOnce, count - from + 1) }, (_, index) => from + index)
    await store.appendMany(
      orders.map((order) => {
        const template = hasLabels && isLabel(order) ? label : local
        const stream: StreamName = `${template.category}-${order}`
        return { stream, events: eventsOf(template, order, business), expected: 'no-stream' as const }
      }),
    )
  }
  for (const name of ['orders', 'order_terms', 'label_numbers']) {
    progress(`building the read model ${name}`)
    const model = readModels.find((one) => one.name === name)
    if (model === undefined) throw new Error(`There is no read model ${name}.`)
    await models.rebuild(model, new AbortController().signal)
  }
}

function eventsOf({ text, whileNew }: Template, order: number, { parts, id }: Business): readonly NewEvent[] {
  const all = JSON.parse(renumbered(text, first, order)) as readonly (NewEvent & { data: Searched })[]
  const [begun] = all
  if (begun?.data.personal === undefined) throw new Error('The first event of an order has no people.')
  // What people are searched by depends on the secret of the store.
  const words = nameOf(order).toLowerCase().split(' ')
  begun.data.personal.terms = words.map((word) => parts.credentials.blind(`order name ${id} ${word}`))
  return isCancelled(order) ? all : all.slice(0, whileNew)
}

interface Searched {
  readonly personal?: { terms: readonly string[] }
}

/** A local delivery and a label that the engine takes and cancels. */
async function templates(): Promise<readonly [Template, Template]> {
  const { parts, ask } = await openBusiness(createMemoryStore(Date.now))
  await ask('add_carrier_account', { carrier: 'sandbox', name: 'Sandbox', credentials: { account: 'A' } })
  const written = async (
    category: Template['category'],
    { order_id, tracking_numbers }: Readonly<Record<string, unknown>>,
    whileNew: number,
  ): Promise<Template> => {
    const history = await parts.store.read(`${category}-${order_id}`)
    const events = history.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }))
    const [number = numberOf(first)] = (tracking_numbers ?? []) as readonly string[]
    const text = renumbered(JSON.stringify(events), Number(order_id), first).replaceAll(number, numberOf(first))
    return { category, text, whileNew }
  }
  const person = { name: nameOf(first), phone: '+1 416 555 0100' }
  const street = { street: '1 Main Street', postal_code: 'M5V 1A1', region: 'ON', country: 'CA' }
  const reference = referenceOf(first)
  const delivery = { ...person, address: street }
  const order = await ask('create_order', { type: 'D', delivery, reference, tracking_number: numberOf(first) })
  await ask('cancel_order', { order_id: order.order_id })
  const shipment = { from: { ...person, ...street, name: 'Acme' }, to: { ...person, ...street } }
  const label = await ask('quote_and_ship', { ...shipment, parcels: [{ weight_grams: 500 }], reference })
  const { length } = await parts.store.read(`label-${label.order_id}`)
  await ask('cancel_shipping_label', { order_id: label.order_id })
  return [await written('order', order, 1), await written('label', label, length)]
}
