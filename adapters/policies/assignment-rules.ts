import {
  applyRules,
  applyToFree,
  type Caller,
  type EntityEvent,
  hasRules,
  idInStream,
  type OrderEvent,
  type Policy,
  providerWithdrew,
  type RecordedEvent,
  type StreamName,
} from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import { contextAfter } from './report.ts'

/** The rules are the platform's doing: what they cause names no account. */
const caller: Caller = { kind: 'operator', name: 'assignment-rules', scopes: [] }

/** After these, an order may be one that rules have to look at: it is new, has come back, or is not what it was. */
const asking: ReadonlySet<OrderEvent['type']> = new Set([
  ...(['OrderCreated', 'OrderReleased', 'OrderTakenBack', 'OrderTakenOffRoute', 'OrderUnassigned'] as const),
  ...(['OrderRejected', 'ContractorRevoked', 'ContractorReleased', 'OrderUnpooled'] as const),
  ...(['OrderScheduleChanged', 'OrderCorrected'] as const),
])

/** Applies the assignment rules to orders that come, or come back. */
export function orderRules(parts: ContextParts): Policy {
  return {
    name: 'order-rules',
    filter: { category: 'order' },
    from: 'beginning',
    handle: async (recorded) => {
      const event = recorded as RecordedEvent<OrderEvent>
      if (!asking.has(event.type) || !(await hasRules(parts))) return
      await applyRules(contextAfter(parts, caller, event), Number(idInStream(event.stream)))
    },
  }
}

/** Applies changed assignment rules to all orders of the business that nobody has. */
export function ruleChanges(parts: ContextParts): Policy {
  return {
    name: 'rule-changes',
    filter: { category: 'assignment_rules' },
    from: 'beginning',
    handle: async (event, signal) => {
      const last = await parts.store.last(event.stream as StreamName)
      // A later change applies all of the rules, this one among them.
      if (last?.revision !== event.revision) return
      await applyToFree(contextAfter(parts, caller, event), Number(idInStream(event.stream)), signal)
    },
  }
}

/**
 * Orders that a provider has leave the pools, and come back to the rules when the provider does not deliver them. Those that
 * staff gave to it come back unless the business delivers them itself.
 */
export function providerRules(parts: ContextParts): Policy {
  return {
    name: 'provider-rules',
    filter: { category: 'third_party' },
    from: 'beginning',
    handle: async (recorded) => {
      const event = recorded as RecordedEvent<EntityEvent>
      const { type, data, stream, revision } = event
      const isWithdrawn = type === 'ThirdPartyCancelled' && data.reason !== 'reassigned'
      if (!isWithdrawn && type !== 'ThirdPartyAssigned') return
      // Otherwise, it is not as the event says any more: another provider has the order since.
      if ((await parts.store.last(stream as StreamName))?.revision !== revision) return
      const context = contextAfter(parts, caller, event)
      const isSelfDelivered = data.reason === 'fallback_to_self_delivery'
      if (isWithdrawn) await providerWithdrew(context, Number(idInStream(event.stream)), isSelfDelivered)
      if (!isSelfDelivered && (await hasRules(parts))) await applyRules(context, Number(idInStream(event.stream)))
    },
  }
}
