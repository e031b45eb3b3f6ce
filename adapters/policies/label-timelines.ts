import { type Caller, type EntityEvent, followLabel, type Policy, type RecordedEvent } from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import type { Log } from '../node/log.ts'
import { contextAfter } from './report.ts'

const name = 'label-timelines'

const caller: Caller = { kind: 'operator', name, scopes: [] }

/** Opens the timelines of labels that are bought, ends those of voided ones, and erases those of forgotten ones. */
export function labelTimelines(parts: ContextParts, log: Log): Policy {
  return {
    name,
    filter: { category: 'label' },
    from: 'beginning',
    handle: async (recorded) => {
      const event = recorded as RecordedEvent<EntityEvent>
      const codes = await followLabel(contextAfter(parts, caller, event), event)
      if (codes.length > 0) log.error({ policy: name, position: event.position, codes }, 'a timeline refused an event')
    },
  }
}
