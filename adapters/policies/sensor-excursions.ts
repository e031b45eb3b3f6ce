import { type Caller, excursionOf, type Policy, readTimeline } from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import type { Log } from '../node/log.ts'
import { contextAfter, refusalsOf } from './report.ts'

const name = 'sensor-excursions'

/** The platform reports what limits of sensors say. */
const caller: Caller = { kind: 'operator', name: 'sensors', scopes: ['otep:ingest'] }

/**
 * Reports breaches of limits to the timelines of their parcels. An event that the timeline refuses for good is logged and skipped, so
 * that it does not block others.
 */
export function sensorExcursions(parts: ContextParts, log: Log): Policy {
  return {
    name,
    filter: { category: 'sensor_series', opens: () => false },
    from: 'beginning',
    handle: async (event) => {
      const excursion = excursionOf(event)
      if (excursion === undefined) return
      const context = contextAfter(parts, caller, event)
      const { profile, subject } = (await readTimeline(context, excursion.stream)).timeline
      const codes = await refusalsOf(context, { profile, subject, events: excursion.events })
      if (codes.length > 0) log.error({ policy: name, position: event.position, codes }, 'a timeline refused an event')
    },
  }
}
