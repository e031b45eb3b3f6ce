import { prepareBatches } from './batches.ts'
import type { Topic } from './harness.ts'
import { preparePosts } from './posts.ts'

/**
 * Durable ingest: by size of batch compared with raw insertion, and event by event over HTTP compared with storing
 * nothing.
 */
export const ingest: Topic = {
  name: 'ingest',
  summary:
    'durable ingest by events a call, against raw insertion of the same rows; and over HTTP, one event a request',
  unit: 'event',
  prepare: async (settings) => {
    const batches = await prepareBatches(settings)
    const posts = await preparePosts(settings)
    return {
      cases: [...batches.cases, ...posts.cases],
      notes: [...batches.notes, ...posts.notes],
      close: async () => void (await Promise.all([batches.close(), posts.close()])),
    }
  },
}
