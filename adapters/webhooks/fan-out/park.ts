import {
  deriveId,
  type EventStore,
  isEngineError,
  isObject,
  isoOf,
  parkedStream,
  type RecordedEvent,
  type StreamName,
  type WebhookEventParked,
  type WebhookEventReleased,
} from '../../../engine/index.ts'

/** Keeps a recorded event of which no webhook events could be made; `cause` is the event that asked for them. */
export type Park = (event: RecordedEvent, cause: RecordedEvent, error: unknown) => Promise<void>

/** Returns the function that parks events in a store, from where every node tells of them. */
export function createPark(store: Pick<EventStore, 'append' | 'read'>, clock: () => number): Park {
  return async ({ id, stream, revision, position, type }, cause, error) => {
    const failure = isEngineError(error) ? error.code : error instanceof Error ? error.name : typeof error
    const data: WebhookEventParked['data'] = {
      ...{ event_id: id, stream, revision, position, type, failure },
      ...(await businessOf(store, stream)),
      at: isoOf(clock()),
    }
    // The same for the same cause, so that an event is parked once, however often it is tried.
    const event = { id: deriveId('webhook event parked', id, cause.id), type: 'WebhookEventParked', data }
    await store.append(parkedStream, [{ ...event, metadata: { schemaVersion: 1 } }], 'any')
  }
}

/** The business that a stream is of, if its first event names one. What is sealed in it stays so. */
async function businessOf(store: Pick<EventStore, 'read'>, stream: string): Promise<{ readonly business_id?: number }> {
  const [first] = await store.read(stream as StreamName, { limit: 1, opens: () => false })
  const business = isObject(first?.data) ? first.data.business_id : undefined
  return typeof business === 'number' ? { business_id: business } : {}
}

/** The event whose webhook events are to be made: a parked one that was released, or the event itself. */
export async function releasedBy(store: Pick<EventStore, 'read'>, event: RecordedEvent): Promise<RecordedEvent> {
  if (event.stream !== parkedStream || event.type !== 'WebhookEventReleased') return event
  const { stream, revision } = event.data as WebhookEventReleased['data']
  const [released] = await store.read(stream as StreamName, { from: revision, limit: 1, opens: () => false })
  return released ?? event
}
