import * as v from 'valibot'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { named } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../../kernel/paging.ts'
import type { Row } from '../../kernel/read-model.ts'
import { id } from '../../kernel/schemas.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { callingContractor, contractorModule } from './access.ts'
import { poolModel } from './pool-model.ts'
import type { Area, RuledOrder } from './ports.ts'

const path = '/api/v1/broker-order-assignments/offers'
const tag = 'Broker Order Assignments'
const orderEntry = { order_id: v.pipe(id, v.description('Id of the order.')) }
const text = v.exactOptional(v.string())

const area = named('OfferedArea', v.strictObject({ locality: text, region: text, postal_code: text, country: text }))

const offer = named(
  'BrokerOrderOffer',
  v.strictObject({
    order_id: v.number(),
    broker_id: v.number(),
    rule_id: v.exactOptional(v.pipe(v.number(), v.description('The rule in whose pool it is; for staff alone.'))),
    type: v.picklist(['D', 'P', 'P2P']),
    items: v.number(),
    tags: v.array(v.string()),
    schedule_date: text,
    time_window: v.exactOptional(v.strictObject({ start: v.string(), end: v.string() })),
    pickup: v.exactOptional(area),
    delivery: v.exactOptional(area),
    offered_at: v.pipe(v.string(), v.description('ISO 8601, in the time zone of the business.')),
    respond_by: v.exactOptional(
      v.pipe(v.string(), v.description('Until when it can be taken: ISO 8601, in the time zone of the business.')),
    ),
  }),
)

/** The orders that contractors are offered. */
export const listOrderOffers = operation({
  name: 'list_order_offers',
  summary:
    'Orders in the pools of assignment rules, as contractors are offered them, the oldest first: where and when, and nothing of people. Contractors only see their own.',
  scopes: ['orders:read'],
  roles: [...staff, 'contractor'],
  risk: 'low',
  tag,
  module: contractorModule,
  rest: { method: 'GET', path },
  ids: { broker_id: 'filter' },
  page: 'order offer',
  input: v.strictObject({
    broker_id: v.exactOptional(v.pipe(id, v.description("The contractor's user id; ignored for a contractor."))),
    ...pageEntries,
  }),
  output: v.strictObject({ result: v.literal(true), ...pageAnswerEntries, offers: v.array(offer) }),
  errors: ['module_disabled', 'module_not_migrated'],
  handle: async (context, { broker_id, ...page }) => {
    const { role, business } = accountOf(context)
    const { range, paging } = pageOf(page)
    const own = role === 'contractor' ? callingContractor(context).id : broker_id
    const { rows, total } = await context.models.page(poolModel, {
      where: { business_id: business.id, ...omitUndefined({ broker_id: own }) },
      between: { broker_id: [1, undefined] },
      ...range,
    })
    const offers = await Promise.all(rows.map((row) => offerOf(context, row)))
    return { result: true, total, ...paging, offers: offers.flat() }
  },
})

async function offerOf(context: Context, row: Row): Promise<readonly v.InferOutput<typeof offer>[]> {
  const { role, business } = accountOf(context)
  const order = await context.ports.assignmentRules.orderAt(context, Number(row.order_id))
  if (order === undefined) return []
  const inZone = (instant: unknown) => zonedIso(Date.parse(String(instant)), business.timeZone)
  const { id: order_id, type, items, tags, scheduleDate, timeWindow, pickup, delivery } = order
  return [
    {
      ...{ order_id, broker_id: Number(row.broker_id), type, items, tags: [...tags] },
      ...omitUndefined({
        rule_id: role === 'contractor' ? undefined : Number(row.rule_id),
        schedule_date: scheduleDate,
        time_window: timeWindow && { ...timeWindow },
        pickup: pickup && areaOf(pickup),
        delivery: delivery && areaOf(delivery),
        respond_by: row.respond_by === null ? undefined : inZone(row.respond_by),
      }),
      offered_at: inZone(row.pooled_at),
    },
  ]
}

function areaOf({ locality, region, postal_code, country }: Area): v.InferOutput<typeof area> {
  return omitUndefined({ locality, region, postal_code, country })
}

/** Takes an offered order. */
export const acceptOrderOffer = operation({
  name: 'accept_order_offer',
  summary: 'As a contractor, take an order that you are offered: it is then assigned to you, and leaves all pools.',
  scopes: ['orders:write'],
  roles: ['contractor'],
  risk: 'medium',
  tag,
  module: contractorModule,
  rest: { method: 'POST', path: `${path}/{order_id}/accept` },
  ids: { order_id: 'rule' },
  input: v.strictObject(orderEntry),
  output: v.strictObject({ result: v.literal(true), order_id: v.number(), assignment_id: v.number() }),
  errors: ['module_disabled', 'module_not_migrated', 'offer_not_found', 'contention'],
  handle: async (context, { order_id }) => {
    const { id: broker_id } = callingContractor(context)
    return retryOnConflict(async () => {
      const order = await offeredOrder(context, order_id)
      const { first, append } = await nextNumbers(context, 'assignment')
      const appends = order.decide({ type: 'AcceptOffer', broker_id, assignment_id: first })
      await context.store.appendMany([...appends, append])
      return { result: true, order_id, assignment_id: first }
    })
  },
})

/** Refuses an offered order. */
export const refuseOrderOffer = operation({
  name: 'refuse_order_offer',
  summary: 'As a contractor, refuse an order that you are offered; after the last one has, the next rule is asked.',
  scopes: ['orders:write'],
  roles: ['contractor'],
  risk: 'medium',
  tag,
  module: contractorModule,
  rest: { method: 'POST', path: `${path}/{order_id}/refuse` },
  ids: { order_id: 'rule' },
  input: v.strictObject(orderEntry),
  output: v.strictObject({ result: v.literal(true), order_id: v.number() }),
  errors: ['module_disabled', 'module_not_migrated', 'offer_not_found', 'contention'],
  handle: async (context, { order_id }) => {
    const { id: broker_id } = callingContractor(context)
    return retryOnConflict(async () => {
      const order = await offeredOrder(context, order_id)
      await context.store.appendMany(order.decide({ type: 'RefuseOffer', broker_id }))
      return { result: true, order_id }
    })
  },
})

/** An order of the caller's business; whether the caller is offered it, the order decides. */
async function offeredOrder(context: Context, id: number): Promise<RuledOrder> {
  const order = await context.ports.assignmentRules.orderAt(context, id)
  if (order?.businessId !== accountOf(context).business.id) throw new EngineError('offer_not_found', { order: id })
  return order
}
