import { createMemoryStore, EngineError, type Storage } from '../engine/index.ts'

/** A store in memory that records no event of this type, as if the process ended before. */
export function ending(type: string) {
  const store = createMemoryStore(() => Date.parse('2026-06-10T10:00:00Z'))
  const end = { isNow: true }
  const refuse = (events: readonly { readonly type: string }[]) => {
    if (end.isNow && events.some((event) => event.type === type)) throw new EngineError('store_unavailable')
  }
  const wrapped: Storage = {
    ...store,
    append: async (stream, events, expected) => {
      refuse(events)
      return store.append(stream, events, expected)
    },
    appendMany: async (appends) => {
      for (const { events } of appends) refuse(events)
      return store.appendMany(appends)
    },
  }
  return { store: wrapped, end }
}
