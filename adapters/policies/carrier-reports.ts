import { type Caller, type Policy, takeReport } from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import { contextAfter } from './report.ts'

const name = 'carrier-reports'

const caller: Caller = { kind: 'operator', name, scopes: [] }

/** Moves orders by what the carriers that have them report of their parcels. */
export function carrierReports(parts: ContextParts): Policy {
  return {
    name,
    filter: { category: 'tracking', opens: () => false },
    // What was reported before is left as people have dealt with it.
    from: 'end',
    handle: (event) => takeReport(contextAfter(parts, caller, event), event),
  }
}
