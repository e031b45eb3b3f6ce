import type { Domain } from '../../kernel/domain.ts'
import { proofMessages } from './messages.ts'
import { proofNoticeSource, proofNotices } from './notices.ts'
import { proofOperations } from './operations.ts'

/** Proof: the files that prove what was done with an order. Its facts are those of the orders; events of these types may bring files. */
export function proofDomain(provingTypes: readonly string[]): Domain {
  return {
    name: 'proof',
    messages: [proofMessages],
    events: {},
    operations: proofOperations,
    notices: proofNotices,
    noticeSources: [proofNoticeSource(provingTypes)],
  }
}
