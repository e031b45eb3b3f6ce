import type { EventBase } from '../../entity/machine.ts'
import type { Event, RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import type { Pool } from './ports.ts'

/** What orders record of their pools. */
type PoolFact =
  | Event<'OrderPooled', EventBase & { readonly business_id: number } & Pool>
  | Event<'OrderOfferRefused', EventBase & { readonly broker_id: number }>
  | Event<'OrderUnpooled', EventBase>

/** Takes the place of the contractor of an order that waits in a pool. */
export const nobodyYet = 0

/** The orders in the pools of rules: one row for each rule and each contractor that is asked, or for each rule that it waits for. */
export const poolModel = {
  name: 'order_pools',
  version: 1,
  category: 'order',
  columns: {
    order_id: 'integer',
    rule_id: 'integer',
    broker_id: 'integer',
    business_id: 'integer',
    pooled_at: 'text',
    respond_by: 'text',
  },
  key: ['order_id', 'rule_id', 'broker_id'],
  indexes: [
    ['business_id', 'broker_id'],
    ['broker_id', 'order_id'],
    ['rule_id', 'broker_id', 'order_id'],
  ],
  rows: (event) => {
    const { type, data } = event as RecordedEvent<PoolFact>
    if (type !== 'OrderPooled' || data.provider !== undefined) return []
    const { business_id, respond_by = null, at: pooled_at } = data
    const of = { order_id: orderIn(event), business_id, pooled_at, respond_by }
    const asked = data.broker_ids.length > 0 ? data.broker_ids : [nobodyYet]
    return data.rules.flatMap(({ rule_id }) => asked.map((broker_id) => ({ ...of, rule_id, broker_id })))
  },
  gone: (event) => {
    const { type, data } = event as RecordedEvent<PoolFact>
    if (type === 'OrderOfferRefused') return [{ order_id: orderIn(event), broker_id: data.broker_id }]
    return type === 'OrderPooled' || type === 'OrderUnpooled' ? [{ order_id: orderIn(event) }] : []
  },
} as const satisfies ReadModel

function orderIn({ stream }: RecordedEvent): number {
  return Number(stream.slice('order-'.length))
}
