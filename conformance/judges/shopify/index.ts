import type { Timeline } from '../../../engine/index.ts'
import { rulesJudge, schemaJudge } from '../json-schema.ts'
import type { ReadyJudge } from '../judge.ts'
import { isMeant } from '../meant.ts'
import { schema } from './schema.ts'

interface Answer {
  readonly data: {
    readonly fulfillment: {
      readonly deliveredAt?: string | null
      readonly events: { readonly nodes: readonly Node[] }
    }
  }
}

interface Node {
  readonly id: string
  readonly status: string
  readonly happenedAt: string
  readonly createdAt: string
}

/** Statuses that only these codes may become, so that nothing is misleading. */
const onlyFrom: Readonly<Record<string, readonly string[]>> = {
  CARRIER_PICKED_UP: ['picked_up'],
  OUT_FOR_DELIVERY: ['out_for_delivery'],
  DELIVERED: ['delivered', 'collected'],
  ATTEMPTED_DELIVERY: ['delivery_failed'],
  READY_FOR_PICKUP: ['x-available_for_pickup', 'stored', 'overdue'],
}

/** The judges of Shopify documents. */
export const judges: readonly ReadyJudge[] = [
  schemaJudge({ name: 'shape of GraphQL Admin 2026-10 (hand-written)', format: 'shopify', schema: () => schema }),
  rulesJudge<Answer>('meaning of the statuses', 'shopify', ({ data: { fulfillment } }, { timeline }) => {
    const { nodes } = fulfillment.events
    return [
      new Set(nodes.map(({ id }) => id)).size < nodes.length && 'Two events have one id.',
      (typeof fulfillment.deliveredAt === 'string') !== timeline.delivered &&
        'deliveredAt and the timeline do not agree on whether it was delivered.',
      !nodes.some(({ status }) => status === 'DELIVERED') && timeline.delivered && 'No event says DELIVERED.',
      nodes.some(({ status }) => status.startsWith('LABEL_')) && 'Tells of a label, of which no event can.',
      !isSubsequence(nodes, timeline) && 'The events are not events of the timeline in their order.',
      ...nodes.map((node) => wrongMeaning(node, timeline)),
      ...afterReturn(nodes, timeline),
    ]
  }),
]

function wrongMeaning({ status, happenedAt }: Node, timeline: Timeline): string | false {
  const codes = onlyFrom[status]
  if (codes === undefined) return false
  const isRight = timeline.events.some(
    ({ status_code, occurred_at }) => occurred_at === happenedAt && isMeant(timeline, status_code, codes),
  )
  if (isRight) return false
  return `${status} at ${happenedAt} is no ${codes.join(' or ')}.`
}

/** Whether each node is an event, in the order of the timeline. */
function isSubsequence(nodes: readonly Node[], { events }: Timeline): boolean {
  let next = 0
  return nodes.every(({ happenedAt, createdAt }) => {
    while (next < events.length) {
      const event = events[next]
      next += 1
      if (event?.occurred_at === happenedAt && event.recorded_at === createdAt) return true
    }
    return false
  })
}

/** A parcel that has gone back is delivered to its sender, which is no delivery. */
function afterReturn(nodes: readonly Node[], timeline: Timeline): readonly string[] {
  const returned = timeline.events.find(({ status_code }) => isMeant(timeline, status_code, ['return_to_sender']))
  if (returned === undefined) return []
  return nodes
    .filter(
      ({ status, happenedAt }) => status === 'DELIVERED' && Date.parse(happenedAt) > Date.parse(returned.occurred_at),
    )
    .map(({ happenedAt }) => `DELIVERED at ${happenedAt} after the return to the sender.`)
}
