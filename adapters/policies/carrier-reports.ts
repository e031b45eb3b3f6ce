import { type Caller, type Policy, takeContradiction, takeLabelReport, takeReport } from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import { contextAfter } from './report.ts'

const name = 'carrier-reports'

const caller: Caller = { kind: 'operator', name, scopes: [] }

/** Moves orders and labels by what their carriers report of the parcels. */
export function carrierReports(parts: ContextParts): Policy {
  return {
    name,
    filter: { category: 'tracking', opens: () => false },
    // What was reported before is left as people have dealt with it.
    from: 'end',
    handle: async (event) => {
      const context = contextAfter(parts, caller, event)
      await takeReport(context, event)
      await takeLabelReport(context, event)
      await takeContradiction(context, event)
    },
  }
}
