import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import type { HandoffEvent } from './events.ts'
import type { HandoffStatus } from './status.ts'

/** The id of the handoff that a stream is of. */
export function handoffOf(stream: string): number {
  return Number(stream.slice('handoff-'.length))
}

/** Handoffs as they are listed and as the clock looks for them; nothing of it is personal. */
export const handoffModel = {
  name: 'handoffs',
  version: 1,
  category: 'handoff',
  columns: { id: 'integer', business_id: 'integer', provider: 'text', status: 'text', expires_at: 'text' },
  key: ['id'],
  indexes: [
    ['business_id', 'status'],
    ['business_id', 'provider'],
    ['status', 'expires_at'],
  ],
  rows: (event) => {
    const cells = cellsOf(event as RecordedEvent<HandoffEvent>)
    return cells === undefined ? [] : [{ id: handoffOf(event.stream), ...cells }]
  },
} as const satisfies ReadModel

function cellsOf(fact: HandoffEvent): Row | undefined {
  switch (fact.type) {
    case 'HandoffProposed': {
      const { business_id, provider, expires_at } = fact.data
      return { business_id, provider, expires_at, ...at('proposed') }
    }
    case 'HandoffAccepted':
      return at('accepted')
    case 'HandoffRejected':
      return at('rejected')
    case 'HandoffExpired':
      return at('expired')
    case 'HandoffCancelled':
      return at('cancelled')
    case 'HandoffTracked':
      return fact.data.is_last ? at('completed') : undefined
    default:
      return undefined
  }
}

function at(status: HandoffStatus): Row {
  return { status }
}
