/**
 * A fact: a literal type in the past tense and its data. Made by a domain, never changed. What its data tells of people is
 * in the member `personal`, an object: it is sealed where the fact is kept, and missing once it was erased.
 */
export interface Event<Type extends string = string, Data = unknown> {
  readonly type: Type
  readonly data: Data
}

/** What is known about an event beside the fact itself. */
export interface EventMetadata {
  /** Who caused it, as `kind:name` (`provider:acme`). */
  readonly actor?: string
  /** The request that caused it; every event of one call carries the same. */
  readonly correlationId?: string
  /** Version of the shape of `data`, for upcasting on read. */
  readonly schemaVersion: number
}

/** An event ready to be appended: `id` is a UUID, and the key of idempotency within its stream. */
export type NewEvent<E extends Event = Event> = E & {
  readonly id: string
  readonly metadata: EventMetadata
  /** When another store took it, for a history that moves; what is new is dated by the store. ISO 8601, UTC, milliseconds. */
  readonly recordedAt?: string
}

/** What the store gives back: the event and its place in history. */
export type RecordedEvent<E extends Event = Event> = NewEvent<E> & {
  readonly stream: string
  /** Place in its stream, from 0, without gaps. */
  readonly revision: number
  /** Place in the store; opaque text that sorts in order of commit. */
  readonly position: string
  /** When the store took it: ISO 8601, UTC, milliseconds. */
  readonly recordedAt: string
}
