import type { Catalogue } from './catalogue.ts'
import type { Notice, NoticeSource } from './webhook-event.ts'
import type { Operation } from './operation.ts'
import type { ReadModel } from './read-model.ts'
import type { Upcasts } from './upcast.ts'

/** A part of the business: its name, operations, events and notices. */
export interface Domain {
  readonly name: string
  readonly operations: readonly Operation[]
  /** Messages of its refusals and findings, in every language. */
  readonly messages?: readonly Catalogue[]
  /** The types of its events, by stream category. */
  readonly events: Readonly<Record<string, readonly string[]>>
  readonly readModels?: readonly ReadModel[]
  /** Upcasts for events of earlier versions. */
  readonly upcasts?: Upcasts
  /** Event types that erase the personal data of their stream: once one is recorded, the stream's key is destroyed. */
  readonly erasures?: readonly string[]
  /** Its webhook event types. */
  readonly notices?: readonly Notice[]
  /** The functions that turn its events into announcements of notices. */
  readonly noticeSources?: readonly NoticeSource[]
}
