import { idOf } from '../../entity/list.ts'
import type { EntityEvent } from '../../entity/machine.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel } from '../../kernel/read-model.ts'
import { handoff } from './handoff.ts'
import { sending } from './machine.ts'

const reported = Object.values(handoff.moves).flatMap((move) => ('webhook' in move ? [String(move.event)] : []))

/** The messages for partners, in order, and the place of each in the history of its handoff. */
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
    if (!reported.includes(event.type)) return []
    const { position, revision, id, data } = event as RecordedEvent<EntityEvent>
    const owner = { business_id: Number(data.business_id), provider: String(data.provider) }
    const message_id = `${sending.prefix}-${id}`
    return [{ position, message_id, ...owner, handoff_id: idOf(handoff, event), revision }]
  },
} as const satisfies ReadModel
