import { deriveId, type Storage } from '../../engine/index.ts'
import type { Policy } from '../../engine/store/policy/policy.ts'

/** A policy that writes down each event of the category `source` in one stream, under an id that follows from it. */
export function copying(store: Storage): Policy {
  return {
    name: 'copying',
    filter: { category: 'source' },
    from: 'beginning',
    handle: async ({ id }) => {
      const copy = { id: deriveId('copying', id), type: 'Copied', data: { of: id }, metadata: { schemaVersion: 1 } }
      await store.append('copy-all', [copy], 'any')
    },
  }
}
