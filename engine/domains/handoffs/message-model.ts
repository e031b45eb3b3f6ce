import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import type { HandoffEvent } from './events.ts'
import { handoffOf } from './handoff-model.ts'
import { isTold, messageIdOf } from './notices.ts'

/** What partners were told, in order: where each message stands in the history of its handoff. */
export const messageModel = {
  name: 'handoff_messages',
  version: 1,
  category: 'handoff',
  columns: {
    position: 'text',
    message_id: 'text',
    business_id: 'integer',
    provider: 'text',
    handoff_id: 'integer',
    revision: 'integer',
  },
  key: ['position'],
  indexes: [['business_id', 'provider', 'position'], ['message_id']],
  rows: (event) => {
    const { position, revision } = event
    const fact = event as RecordedEvent<HandoffEvent>
    if (!isTold(fact)) return []
    const { business_id, provider } = fact.data
    const handoff_id = handoffOf(event.stream)
    return [{ position, message_id: messageIdOf(event), business_id, provider, handoff_id, revision }]
  },
} as const satisfies ReadModel
