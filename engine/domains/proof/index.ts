import type { Domain } from '../../entity/domain.ts'
import { proofMessages } from './messages.ts'
import { proofOperations } from './operations.ts'
import { proofWebhookEventSource, proofWebhookEventTypes } from './webhook-events.ts'

export type { ProofCode } from './messages.ts'
export { listProofFiles } from './operations.ts'
export type { ProofPorts } from './ports.ts'
export { type OpenedFile, openLinkedFile, removeUploads, removingTypes, sweepUploads } from './uploads.ts'

/** Proof files of orders. Their events are in the streams of the orders; events of `provingTypes` may add files. */
export function proofDomain(provingTypes: readonly string[]): Domain {
  return {
    name: 'proof',
    messages: [proofMessages],
    events: {},
    operations: proofOperations,
    webhookEventTypes: proofWebhookEventTypes,
    webhookEventSources: [proofWebhookEventSource(provingTypes)],
  }
}
