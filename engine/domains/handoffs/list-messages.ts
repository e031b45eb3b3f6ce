import * as v from 'valibot'
import { streamOf } from '../../entity/access.ts'
import type { EntityEvent } from '../../entity/machine.ts'
import { webhookEventOf } from '../../entity/webhook-events.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { EventStore } from '../../kernel/event-store.ts'
import { operation } from '../../kernel/operation.ts'
import type { Row } from '../../kernel/read-model.ts'
import { id, instant, word } from '../../kernel/schemas.ts'
import type { WebhookEvent } from '../../kernel/webhook-event.ts'
import { family, handoffScope, type Partner, partnerOf } from './access.ts'
import { handoff } from './handoff.ts'
import { handoffWebhookEventNames, machine, sending } from './machine.ts'
import { messageModel } from './message-model.ts'

const envelope = v.strictObject({
  event: v.picklist(handoffWebhookEventNames),
  message_id: v.pipe(word(64), v.description('The same as in the push; deduplicate on it.')),
  occurred_at: instant,
  business_id: id,
  data: v.pipe(v.record(v.string(), v.unknown()), v.description('As the push of this event has it.')),
})

/** All messages to a partner, with or without a subscription: pulling is the source of truth. */
export const listHandoffMessages = operation({
  name: 'list_handoff_messages',
  summary: 'For the handoff token of a partner: the envelopes of all pushes in order, whether they arrived or not.',
  scopes: [handoffScope],
  risk: 'low',
  ...family,
  input: v.strictObject({
    after: v.exactOptional(
      v.pipe(word(64), v.description('The message_id of the last one that is known; from the first where absent.')),
    ),
    limit: v.exactOptional(
      v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(200), v.description('1 to 200; 50 where absent.')),
    ),
  }),
  output: v.strictObject({
    result: v.literal(true),
    messages: v.array(envelope),
    has_more: v.pipe(v.boolean(), v.description('Whether others follow after the last of these.')),
  }),
  errors: ['account_required', 'handoff_message_not_found'],
  rest: { method: 'GET', path: '/api/v1/ohp/messages' },
  handle: async (context, { after, limit = 50 }) => {
    const partner = partnerOf(context)
    const from = after === undefined ? undefined : await positionOf(context, partner, after)
    const rows = await rowsAfter(context, partner, from, limit + 1)
    const messages = await envelopesOf(context.store, rows.slice(0, limit))
    return { result: true, messages, has_more: rows.length > limit }
  },
})

function cellsOf({ businessId, provider }: Partner): Row {
  return { business_id: businessId, provider }
}

/** The position of a message of a partner. Refuses messages of others with `handoff_message_not_found`. */
async function positionOf({ models }: Context, partner: Partner, message_id: string): Promise<string> {
  const [row] = await models.rows(messageModel, { message_id, ...cellsOf(partner) }, 1)
  if (row === undefined) throw new EngineError('handoff_message_not_found')
  return String(row.position)
}

/** The messages of a partner after a position, in order. */
async function rowsAfter({ models }: Context, partner: Partner, after: string | undefined, limit: number) {
  const where = cellsOf(partner)
  if (after === undefined) return (await models.page(messageModel, { where, limit })).rows
  // The bounds are inclusive.
  const query = { where, between: { position: [after, undefined] }, limit, offset: 1 } as const
  return (await models.page(messageModel, query)).rows
}

/** The envelopes of messages. The history of each handoff is read once, even for several messages. */
async function envelopesOf(store: EventStore, rows: readonly Row[]) {
  const last = new Map(rows.map((row) => [Number(row.handoff_id), Number(row.revision)]))
  const read = [...last].map(async ([id, revision]) => [id, await historyOf(store, id, revision)] as const)
  const histories = new Map<number, readonly RecordedEvent<EntityEvent>[]>(await Promise.all(read))
  return rows.flatMap(({ handoff_id, revision }) => {
    const history = histories.get(Number(handoff_id)) ?? []
    const webhookEvent = webhookEventOf(machine, sending, history.slice(0, Number(revision) + 1))
    return webhookEvent === undefined ? [] : [envelopeOf(webhookEvent)]
  })
}

/** The events of a handoff up to a revision. */
async function historyOf(store: EventStore, id: number, revision: number) {
  return (await store.read(streamOf(handoff, id), { limit: revision + 1 })) as readonly RecordedEvent<EntityEvent>[]
}

function envelopeOf({ type: eventType, id, occurredAt, audience, data }: WebhookEvent) {
  const { businessId: business_id } = audience
  return { event: eventType, message_id: id, occurred_at: occurredAt, business_id, data: data('business') }
}
