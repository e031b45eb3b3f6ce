import { type Caller, eraseProposalsOf, orderOf, type Policy } from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import { contextAfter } from './report.ts'

const caller: Caller = { kind: 'operator', name: 'approvals', scopes: ['otep:erase'] }

/** When an order is erased, erases the proposals that it came from, too. */
export function approvalErasures(parts: ContextParts): Policy {
  return {
    name: 'approval-erasures',
    filter: { category: 'order' },
    from: 'beginning',
    handle: async (event) => {
      if (event.type !== 'OrderPersonalDataErased') return
      await eraseProposalsOf(contextAfter(parts, caller, event), orderOf(event.stream))
    },
  }
}
