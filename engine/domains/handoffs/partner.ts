import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Append } from '../../kernel/event-store.ts'
import { deriveId } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { commandStamp } from '../../kernel/party.ts'
import { instant, word } from '../../kernel/schemas.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { nextNumbers } from '../../store/sequence.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { carryOut, family, handoffScope, handoffStream, type Partner, partnerOf } from './access.ts'
import { contentChanges, factsOf, orderContent, utcOf } from './content.ts'
import { handoffs } from './decider.ts'
import type { HandoffProposed, HandoffReferenceTaken } from './events.ts'
import { handoffId, noteEntry } from './input.ts'
import { cancellationReasons, handoffStatusNames } from './status.ts'

/** What every change by a partner has in common. */
const byPartner = { scopes: [handoffScope], risk: 'medium', ...family } as const

const refusals = [
  ...(['account_required', 'handoff_not_found'] as const),
  ...(['handoff_status_forbids', 'handoff_has_expired'] as const),
] as const

/** Offers an order. */
export const proposeHandoff = operation({
  name: 'propose_handoff',
  summary: 'For the handoff token of a partner: offer an order to the business, which accepts or rejects it in time.',
  ...byPartner,
  input: v.strictObject({
    partner_reference: v.pipe(word(100), v.description('What the partner calls the order; it is used once.')),
    order: orderContent,
    expires_at: v.pipe(instant, v.description('Until when the business can decide; RFC 3339 with an offset.')),
  }),
  output: v.strictObject({ result: v.literal(true), handoff_id: v.number(), status: v.literal('proposed') }),
  errors: ['account_required', 'handoff_reference_taken', 'expiry_too_early', 'ends_before_start', 'contention'],
  rest: { method: 'POST', path: '/api/v1/ohp/handoffs' },
  handle: async (context, { order, expires_at, partner_reference }) => {
    const partner = partnerOf(context)
    const { businessId: business_id, provider } = partner
    const told = { ...commandStamp(context), business_id, provider, partner_reference, expires_at: utcOf(expires_at) }
    const handoff_id = await propose(context, partner, { ...told, ...factsOf(order) })
    return { result: true, handoff_id, status: 'proposed' }
  },
})

/** Records the offer together with the number and the reference that it takes. */
async function propose(
  context: Context,
  partner: Partner,
  told: Omit<HandoffProposed['data'], 'handoff_id'>,
): Promise<number> {
  return retryOnConflict(async () => {
    const { first, append } = await nextNumbers(context, 'handoff')
    const data = { handoff_id: first, ...told }
    const events = handoffs.decide({ type: 'ProposeHandoff', data }, handoffs.initial()).map(toNewEvent(context))
    const claim = await claimed(context, partner, told.partner_reference, first)
    await context.store.appendMany([append, { stream: handoffStream(first), events, expected: 'no-stream' }, claim])
    return first
  })
}

async function claimed(
  context: Context,
  { businessId, provider }: Partner,
  reference: string,
  handoff_id: number,
): Promise<Append> {
  const stream: StreamName = `handoff_reference-${deriveId(String(businessId), provider, reference)}`
  const [taken] = (await context.store.read(stream, { limit: 1 })) as readonly HandoffReferenceTaken[]
  if (taken !== undefined) throw new EngineError('handoff_reference_taken', { handoff: taken.data.handoff_id })
  const fact: HandoffReferenceTaken = { type: 'HandoffReferenceTaken', data: { handoff_id } }
  return { stream, events: [toNewEvent(context)(fact)], expected: 'no-stream' }
}

/** Takes an order back. */
export const cancelHandoff = operation({
  name: 'cancel_handoff',
  summary: 'For the handoff token of a partner: take an order back.',
  ...byPartner,
  input: v.strictObject({ ...handoffId, reason: v.picklist(cancellationReasons), ...noteEntry }),
  output: v.strictObject({
    result: v.literal(true),
    handoff_id: v.number(),
    status: v.picklist(handoffStatusNames),
  }),
  errors: refusals,
  rest: { method: 'POST', path: '/api/v1/ohp/handoffs/{handoff_id}/cancel' },
  handle: async (context, { handoff_id, ...why }) => {
    partnerOf(context)
    const { handoff } = await carryOut(context, handoff_id, { type: 'CancelHandoff', ...commandStamp(context), ...why })
    return { result: true, handoff_id, status: handoff.status }
  },
})

/** Asks for an accepted order to be otherwise. */
export const proposeAmendment = operation({
  name: 'propose_handoff_amendment',
  summary: 'For the handoff token of a partner: ask the business to take a change of an accepted order.',
  ...byPartner,
  input: v.strictObject({ ...handoffId, changes: contentChanges }),
  output: v.strictObject({ result: v.literal(true), handoff_id: v.number(), amendment_id: v.number() }),
  errors: [...refusals, 'amendment_open', 'amendment_empty', 'ends_before_start', 'handoff_full'],
  rest: { method: 'POST', path: '/api/v1/ohp/handoffs/{handoff_id}/amendments' },
  handle: async (context, { handoff_id, changes }) => {
    partnerOf(context)
    const command = { type: 'ProposeAmendment', ...commandStamp(context), ...factsOf(changes) } as const
    const { facts } = await carryOut(context, handoff_id, command)
    const [amendment_id] = facts.flatMap(({ data }) => ('amendment_id' in data ? [data.amendment_id] : []))
    return { result: true, handoff_id, amendment_id }
  },
})
