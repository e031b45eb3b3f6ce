import { streamOf } from '../../entity/access.ts'
import { cellsOf, idOf } from '../../entity/list.ts'
import type { EntityEvent } from '../../entity/machine.ts'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import { ownFleetName } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { numberKey } from '../../kernel/number-key.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import type { OrderFamily, RegisteredOrder } from '../../kernel/order-family.ts'
import { type OrderStatus, orderStatuses } from '../../kernel/order-status.ts'
import type { ModelFeed, Row } from '../../kernel/read-model.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { followedNumber } from './followed.ts'
import { findLabel, isRenumbered, type Label, numbersIn } from './label.ts'
import { label } from './table.ts'

const family = 'label_service'

const cellsIn = cellsOf(label)

/** Labels in the register of orders, but for those of the own fleet, which are orders themselves. */
export const labelFeed: ModelFeed = {
  category: label.category,
  opens: () => false,
  rows: (event) => rowsOf(event as RecordedEvent<EntityEvent>),
  gone: (event) => (isRenumbered(event) ? [{ order_id: idOf(label, event), family }] : []),
}

function rowsOf(event: RecordedEvent<EntityEvent>): readonly Row[] {
  const cells = cellsIn(event)
  if (cells === undefined || isRenumbered(event)) return []
  const { business_id, status: state, order_status: way, carrier, reference, created_at } = cells
  if (carrier === ownFleetName) return []
  const { at = null, report } = event.data as {
    readonly at?: string
    readonly report?: { readonly occurred_at: string }
  }
  const [number] = numbersIn(event)
  const reported = report?.occurred_at ?? null
  return [
    {
      ...{ order_id: idOf(label, event), family, updated_at: at, changed: event.position },
      ...omitUndefined({ business_id, state, created_at }),
      ...(way !== undefined && { status: orderStatuses[way as OrderStatus].id }),
      ...(number !== undefined && { tracking_number: number, tracking_key: numberKey(number) }),
      ...(way === 'DELIVERED_BY_CARRIER' && { delivered_at: reported }),
      ...(way === 'FAILED' && { failed_at: reported, failed_stage: 'delivery' }),
      // It begins with its first event alone: a label whose purchase is tried again stays what it is.
      ...(carrier !== undefined && {
        ...{ is_deleted: 0, provider: carrier, reference: reference ?? null },
        reference_key: typeof reference === 'string' ? numberKey(reference) : null,
      }),
    },
  ]
}

/** The most terms that an order is found by. */
const slots = 16

/** The blinded search terms of the people of labels; none after an erasure. */
export const labelTermFeed: ModelFeed = {
  category: label.category,
  opens: ({ type }) => type === label.moves.ask.event,
  rows: ({ type, data, stream }) => {
    const order_id = idOf(label, { data, stream } as RecordedEvent)
    const all = Array.from({ length: slots }, (_, slot) => slot)
    if (type === label.moves.forget.event) return all.map((slot) => ({ order_id, slot, term: null }))
    if (type !== label.moves.ask.event) return []
    const { business_id, personal } = data as { readonly business_id: number; readonly personal?: Searched }
    const terms = personal?.terms
    return terms === undefined ? [] : all.map((slot) => ({ order_id, slot, business_id, term: terms[slot] ?? null }))
  },
  gone: (event) => (isRenumbered(event) ? [{ order_id: idOf(label, event) }] : []),
}

interface Searched {
  readonly terms?: readonly string[]
}

/** Labels as a family of orders; they belong to the business, so only its staff see them. */
export const labelFamily: OrderFamily = {
  name: family,
  noun: label.noun,
  find: async (context, id) => {
    const found = await ownLabel(context, id)
    return found === undefined || found.carrier === ownFleetName ? undefined : registered(context, found)
  },
  numbered: async (context, number) => {
    const id = isStaff(context) ? (await followedNumber(context, number))?.followed.order_id : undefined
    return id === undefined ? undefined : (await findLabel(context, id))?.order_id
  },
  shipment: async (context, id) => {
    const { from, to, parcels } = (await ownLabel(context, id)) ?? {}
    return from === undefined || to === undefined || parcels === undefined ? undefined : { from, to, parcels }
  },
  events: async ({ store }, id) => {
    const history = (await store.read(streamOf(label, id))) as readonly RecordedEvent<EntityEvent>[]
    return history.map(({ id: event_id, type, data }) => {
      const { at = '', by, report } = data as typeof data & { readonly report?: { readonly provider: string } }
      return { event_id, type, at, by, ...omitUndefined({ reported_by: report?.provider }) }
    })
  },
}

function isStaff(context: Context): boolean {
  return staff.includes(accountOf(context).role)
}

async function ownLabel(context: Context, id: number): Promise<Label | undefined> {
  const found = isStaff(context) ? await findLabel(context, id) : undefined
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
