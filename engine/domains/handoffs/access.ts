import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { EventStore } from '../../kernel/event-store.ts'
import { isSeenBy, partyOf } from '../../kernel/party.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { type HandoffCommand, handoffs } from './decider.ts'
import type { HandoffEvent } from './events.ts'
import type { Handoff, HandoffState } from './state.ts'

/** The family of the operations here. */
export const family = { tag: 'Order Handoff' } as const

/** What lets a partner hand orders over: the key of a provider that is bound to a business. */
export const handoffScope = 'ohp:write'

/** A partner of a business. */
export interface Partner {
  readonly businessId: number
  readonly provider: string
}

/** The partner that calls; refuses others with `forbidden`. */
export function partnerOf(context: Context): Partner {
  const { businessId, provider } = partyOf(context)
  if (provider === undefined) throw new EngineError('forbidden', { scopes: handoffScope })
  return { businessId, provider }
}

/** The stream of a handoff. */
export function handoffStream(id: number): StreamName {
  return `handoff-${id}`
}

/** A handoff; nothing where there is none. */
export async function loadHandoff(store: EventStore, id: number): Promise<HandoffState> {
  return fold(handoffs, (await store.read(handoffStream(id))) as readonly HandoffEvent[])
}

/** A handoff that the caller may see: staff those of their business, a partner its own. Else `handoff_not_found`. */
export async function visibleHandoff(context: Context, id: number): Promise<Handoff> {
  const party = partyOf(context)
  const handoff = await loadHandoff(context.store, id)
  if (handoff === undefined || !isSeenBy(party, handoff)) throw new EngineError('handoff_not_found', { handoff: id })
  return handoff
}

/** Carries out a command on a handoff that the caller may see; answers what follows, and how it stands then. */
export async function carryOut(
  context: Context,
  id: number,
  command: HandoffCommand,
): Promise<{ readonly facts: readonly HandoffEvent[]; readonly handoff: Handoff }> {
  const before = await visibleHandoff(context, id)
  const facts = await execute(context.store, handoffs, handoffStream(id), command, toNewEvent(context))
  return { facts, handoff: (await loadHandoff(context.store, id)) ?? before }
}
