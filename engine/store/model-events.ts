import type { RecordedEvent } from '../kernel/event.ts'
import type { EventFilter, EventStore } from '../kernel/event-store.ts'
import type { ModelFeed, ReadModel } from '../kernel/read-model.ts'
import { categoryOf } from '../kernel/stream.ts'

/** The same model, whose rows other categories of streams set, too. */
export function fedBy(model: ReadModel, feeds: readonly ModelFeed[]): ReadModel {
  if (feeds.length === 0) return model
  const all = new Map([model, ...feeds].map((feed) => [feed.category, feed] as const))
  const feedOf = ({ stream }: RecordedEvent) => all.get(categoryOf(stream)) ?? model
  return {
    ...model,
    categories: [...all.keys()],
    opens: (event) => feedOf(event).opens?.(event) ?? true,
    rows: (event) => feedOf(event).rows(event),
    gone: (event) => feedOf(event).gone?.(event) ?? [],
  }
}

/** The categories that a model is derived from. */
export function categoriesOf({ category, categories = [category] }: ReadModel): readonly string[] {
  return categories
}

/** The events that a model is derived from, after a position and in order. */
export function modelEvents(
  store: Pick<EventStore, 'readAll'>,
  model: ReadModel,
  after: string | undefined,
  filter: Pick<EventFilter, 'until' | 'passed'> = {},
): AsyncIterable<RecordedEvent> {
  const all = categoriesOf(model)
  // Feeds that end at different moments could not be put in order.
  if (all.length > 1 && filter.until === undefined) return only(all, store.readAll(after, { opens: model.opens }))
  const ofEach = all.map((category) => store.readAll(after, { ...filter, category, opens: model.opens }))
  const [first, second] = ofEach
  return first !== undefined && second === undefined ? first : inOrder(ofEach)
}

async function* only(categories: readonly string[], events: AsyncIterable<RecordedEvent>) {
  for await (const event of events) if (categories.includes(categoryOf(event.stream))) yield event
}

/** Events of several feeds in order of their positions. */
async function* inOrder(feeds: readonly AsyncIterable<RecordedEvent>[]): AsyncGenerator<RecordedEvent> {
  const readers = feeds.map((feed) => feed[Symbol.asyncIterator]())
  try {
    const heads = await Promise.all(readers.map((reader) => reader.next()))
    for (;;) {
      let first = -1
      for (const [index, { done, value }] of heads.entries())
        if (
          !done &&
          (first < 0 || value.position < (heads[first] as IteratorYieldResult<RecordedEvent>).value.position)
        )
          first = index
      if (first < 0) return
      yield (heads[first] as IteratorYieldResult<RecordedEvent>).value
      heads[first] = await (readers[first] as AsyncIterator<RecordedEvent>).next()
    }
  } finally {
    await Promise.all(readers.map((reader) => reader.return?.()))
  }
}
