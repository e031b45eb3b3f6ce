import { type Policy, removeUploads, removingTypes } from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'

/** Removes the uploaded images of a proof file that is removed, and of an order that is erased. */
export function proofUploads(parts: ContextParts): Policy {
  return {
    name: 'proof-uploads',
    filter: { category: 'order', opens: () => false },
    from: 'beginning',
    handle: async (event) => {
      if (removingTypes.includes(event.type)) await removeUploads(parts, event)
    },
  }
}
