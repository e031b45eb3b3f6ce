import type { Operation } from '../../../engine/index.ts'
import { type DescribingParts, getOperation } from './get-operation.ts'
import { projectDocument } from './project-document.ts'
import { searchReference } from './search-reference.ts'
import { type CheckSignature, tryWebhookSignature } from './try-webhook-signature.ts'

/** What the tools for integrators need of other parts. */
export interface DeveloperParts extends DescribingParts {
  readonly checkSignature: CheckSignature
}

/** THE LIST of the tools for integrators that are operations of no domain; nobody needs a token for them. */
export function developerTools(operations: readonly Operation[], parts: DeveloperParts): readonly Operation[] {
  return [
    searchReference(operations),
    getOperation(operations, parts),
    projectDocument,
    tryWebhookSignature(parts.checkSignature),
  ]
}
