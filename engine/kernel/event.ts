/**
 * An event: a literal type in the past tense, and its data. It is created by a domain and never changed. Personal
 * data is in the member `personal`, an object that is stored encrypted and is missing after an erasure.
 */
export interface Event<Type extends string = string, Data = unknown> {
  readonly type: Type
  readonly data: Data
}

/** Metadata of an event. */
export interface EventMetadata {
  /** Who caused it, by which means, as `actorOf` writes it: `provider:acme`, `account:7:key:12`. */
  readonly actor?: string
  /** Id of the request that caused it; the same for all events of one call. */
  readonly correlationId?: string
  /** Version of the shape of `data`, for upcasting on read. */
  readonly schemaVersion: number
}

/** An event to append. `id` is a UUID, and the idempotency key within its stream. */
export type NewEvent<E extends Event = Event> = E & {
  readonly id: string
  readonly metadata: EventMetadata
  /**
   * When another store recorded it, for a migrated history; the store sets it for new events. ISO 8601, UTC,
   * milliseconds.
   */
  readonly recordedAt?: string
}

/** An event as the store returns it, with its place in the history. */
export type RecordedEvent<E extends Event = Event> = NewEvent<E> & {
  readonly stream: string
  /** Place in its stream, counted from 0 without gaps. */
  readonly revision: number
  /** Place in the store: opaque text that sorts in commit order. */
  readonly position: string
  /** When the store recorded it: ISO 8601, UTC, milliseconds. */
  readonly recordedAt: string
}
