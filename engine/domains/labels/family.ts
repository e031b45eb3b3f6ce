import { streamOf } from '../../entity/access.ts'
import { cellsOf, idOf } from '../../entity/list.ts'
import type { EntityEvent } from '../../entity/machine.ts'
import { accountOf } from '../../kernel/call.ts'
import { ownFleetName } from '../../kernel/carrier.ts'
import { reportedSteps } from '../../kernel/carrier-report.ts'
import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { numberKey, searchKey } from '../../kernel/number-key.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { dueOf } from '../../kernel/order-due.ts'
import type { OrderFamily, RegisteredOrder } from '../../kernel/order-family.ts'
import { finalOrderStatuses, type OrderStatus, orderStatuses } from '../../kernel/order-status.ts'
import type { Cell, ModelFeed, Row } from '../../kernel/read-model.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { findLabel, type Label, labelNumberModel, numbersIn } from './label.ts'
import { billOf, type LabelReport, label, labelReaders } from './table.ts'

const family = 'label_service'

const { scope } = label.api.read

const cellsIn = cellsOf(label)

/** Labels in the register of orders, but for those of the own fleet, which are orders themselves. */
export const labelFeed: ModelFeed = {
  category: label.category,
  opens: () => false,
  rows: (event) => rowsOf(event as RecordedEvent<EntityEvent>),
}

/** What an event says beside the cells of lists. */
interface Said {
  readonly registered?: true
  readonly business_id: number
  readonly customer_id?: number | null
  readonly row?: Row
  readonly carrier?: string
  readonly at?: string
  readonly report?: LabelReport
}

function rowsOf(event: RecordedEvent<EntityEvent>): readonly Row[] {
  const { registered, business_id, customer_id = null, row, carrier, at = null, report } = event.data as unknown as Said
  if (!registered) return []
  const { status: state, order_status: way, reference, created_at } = cellsIn(event) ?? {}
  const order_id = idOf(label, event)
  // The own fleet has made an order of it.
  if (carrier === ownFleetName) return [{ order_id, business_id, is_deleted: 1 }]
  const [number] = numbersIn(event)
  const hasEnded = finalOrderStatuses.some((status) => status === way)
  // A purchase that is tried again has the same event as the first.
  const isFirst = event.revision === 0
  return [
    {
      ...{ order_id, business_id, customer_id, updated_at: at, changed: event.position },
      ...omitUndefined({ state }),
      ...(way !== undefined && { status: orderStatuses[way as OrderStatus].id }),
      ...(isFirst && begun({ order_id, reference, created_at, carrier })),
      ...(event.type === label.moves.ask.event && { is_deleted: 0, provider: carrier ?? null }),
      ...(number !== undefined && numberCells(number)),
      ...(report && reportCells(report)),
      ...row,
      ...(hasEnded && { open_due: null }),
    },
  ]
}

interface Begun {
  readonly order_id: number
  readonly reference?: Cell | undefined
  readonly created_at?: Cell | undefined
  readonly carrier?: string | undefined
}

/** The cells that a label has from its first event on. */
function begun({ order_id, reference = null, created_at = null, carrier = '' }: Begun): Row {
  const due = dueOf({}, order_id)
  return {
    ...{ family, is_deleted: 0, provider: carrier, created_at, due, open_due: due, reference },
    reference_key: typeof reference === 'string' ? searchKey(reference) : null,
  }
}

function numberCells(number: string): Row {
  return { tracking_number: number, tracking_key: numberKey(number) }
}

/** The row of a label of an earlier version, as far as it is known; the event says the rest. */
export function rowOfLabel({ order_id, status, carrier, reference, created_at, label: bought }: Label): Row {
  const [number] = bought?.tracking_numbers ?? []
  return {
    ...begun({ order_id, reference, created_at, carrier }),
    ...(number !== undefined && numberCells(number)),
    state: status,
  }
}

/** What a report says of an attempt, or of the delivery. */
function reportCells({ status_code, occurred_at }: LabelReport): Row {
  const step = reportedSteps[status_code] ?? 'none'
  if (step === 'delivered') return { delivered_at: occurred_at }
  if (step !== 'pickup_failed' && step !== 'delivery_failed' && step !== 'refused') return {}
  return {
    ...{ failed_at: occurred_at, failed_stage: step === 'pickup_failed' ? 'pickup' : 'delivery' },
    failed_reason: step === 'refused' ? 'refused' : 'deliver_later',
  }
}

/** The most terms that an order is found by. */
const slots = 16

/** The blinded search terms of the people of labels; none after an erasure. */
export const labelTermFeed: ModelFeed = {
  category: label.category,
  opens: ({ type }) => type === label.moves.ask.event,
  rows: ({ type, data, stream, revision }) => {
    const { registered, business_id, personal } = data as Searched
    if (!registered) return []
    const order_id = idOf(label, { data, stream } as RecordedEvent)
    const all = Array.from({ length: slots }, (_, slot) => slot)
    if (type === label.moves.forget.event) return all.map((slot) => ({ order_id, slot, term: null }))
    if (type !== label.moves.ask.event) return []
    const { terms = [] } = personal ?? {}
    const taken = revision === 0 ? all.slice(0, terms.length) : all
    return taken.map((slot) => ({ order_id, slot, business_id, term: terms[slot] ?? null }))
  },
}

interface Searched {
  readonly registered?: true
  readonly business_id: number
  readonly personal?: { readonly terms?: readonly string[] }
}

/** Labels as a family of orders. Staff see those of the business, a customer those that it has bought. */
export const labelFamily: OrderFamily = {
  name: family,
  noun: label.noun,
  scope,
  find: async (context, id) => {
    const found = await ownLabel(context, id)
    return found === undefined || found.carrier === ownFleetName ? undefined : registered(context, found)
  },
  numbered: async (context, tracking_number) => {
    if (!mayRead(context)) return undefined
    const where = { business_id: accountOf(context).business.id, tracking_number }
    const [row] = await context.models.rows(labelNumberModel, where, 1)
    return row === undefined ? undefined : (await findLabel(context, Number(row.order_id)))?.order_id
  },
  shipment: async (context, id) => {
    const { from, to, parcels } = (await ownLabel(context, id)) ?? {}
    return from === undefined || to === undefined || parcels === undefined ? undefined : { from, to, parcels }
  },
  charge: async (context, id) => {
    const found = await findLabel(context, id)
    if (found?.label === undefined) return undefined
    const { reference } = found
    const bill = billOf(found)
    if (bill.customerId === undefined || !bill.isOpen) return undefined
    return { order_id: id, family, ...omitUndefined({ reference }), net: bill.total, tax: '0', taxes: [] }
  },
  events: async ({ store }, id) => {
    const history = (await store.read(streamOf(label, id))) as readonly RecordedEvent<EntityEvent>[]
    return history.map(({ id: event_id, type, data }) => {
      const { at = '', by, report } = data as typeof data & { readonly report?: { readonly provider: string } }
      return { event_id, type, at, by, ...omitUndefined({ reported_by: report?.provider }) }
    })
  },
}

function mayRead({ caller }: Context): boolean {
  return labelReaders.includes(accountOf({ caller }).role) && caller.scopes.includes(scope)
}

async function ownLabel(context: Context, id: number): Promise<Label | undefined> {
  const found = mayRead(context) ? await findLabel(context, id) : undefined
  // A number means one order: the former number of a label is another's.
  return found?.order_id === id ? found : undefined
}

function registered(context: Context, found: Label): RegisteredOrder {
  const { order_id, status: state, order_status: status, carrier, service, reference, label: bought } = found
  const { timeZone } = accountOf(context).business
  const tracking_numbers = [...(bought?.tracking_numbers ?? [])]
  return {
    ...{ id: order_id, order_id, family, tracking_numbers, carrier, service },
    ...{ status, order_status_id: orderStatuses[status].id, state },
    ...omitUndefined({ tracking_number: tracking_numbers[0], reference }),
    created_at: zonedIso(Date.parse(found.created_at), timeZone),
    updated_at: zonedIso(Date.parse(found.updated_at), timeZone),
  }
}
