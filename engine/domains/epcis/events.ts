import type { Event, RecordedEvent } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import { deriveId, hexOfShort, shortHex } from '../../kernel/id.ts'
import type { KeptSource } from '../../kernel/projection.ts'
import type { StreamName } from '../../kernel/stream.ts'

/** What a provider sent as one event of a document, all of it encrypted. Missing after an erasure. */
export interface SealedSource extends KeptSource {
  readonly id: string
  readonly content: string
  readonly declaration?: object
  /** When it happened, in epoch milliseconds. */
  readonly at: number
  /** Blinded, as rows of the model that finds it. */
  readonly terms: readonly string[]
  /** Its listed values, each after a blinded term. */
  readonly values: readonly (readonly [term: string, value: string])[]
}

/** A provider sent an event in a document: the first one with its id, or a declaration that it was an error. */
export type EpcisEventCaptured = Event<
  'EpcisEventCaptured',
  {
    readonly provider: string
    /** The stream of the header of its document, if it had one. */
    readonly header?: StreamName
    readonly personal?: SealedSource
  }
>

/** What a fact keeps of its source, and when that was recorded; undefined after an erasure. */
export function recordedSource(fact: RecordedEvent<EpcisEventCaptured>): SealedSource | undefined {
  const { personal } = fact.data
  return personal && { ...personal, recordedAt: fact.recordedAt }
}

/** A document had a header. */
export type EpcisHeaderCaptured = Event<'EpcisHeaderCaptured', { readonly personal?: KeptSource }>

/** What was captured was erased; nothing with the same id is kept any more. */
export type EpcisSourceErased = Event<'EpcisSourceErased', { readonly at: string }>

/** The events of a source event's stream. */
export type SourceFact = EpcisEventCaptured | EpcisSourceErased

/** The shapes of the events of a source event's stream. */
export const sourceEventShapes: ShapesOf<SourceFact> = {
  EpcisEventCaptured: { provider: 'text', header: 'text?' },
  EpcisSourceErased: { at: 'text' },
}

/** The shapes of the events of a header's stream. */
export const headerEventShapes: ShapesOf<EpcisHeaderCaptured | EpcisSourceErased> = {
  EpcisHeaderCaptured: {},
  EpcisSourceErased: { at: 'text' },
}

/** The stream of a source event: each provider has its own ids. */
export function sourceStream(provider: string, id: string): StreamName {
  return `${prefix}${deriveId(provider, id)}`
}

/** The name of a source event's stream in rows of models. */
export function sourceKey(stream: string): string {
  return shortHex(stream.slice(prefix.length).replaceAll('-', ''))
}

/** The stream of a source event, by its name in rows of models. */
export function sourceStreamOf(key: string): StreamName {
  return `${prefix}${hexOfShort(key).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`
}

const prefix = 'epcis_event-'
