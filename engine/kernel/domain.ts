import type { Catalogue } from './catalogue.ts'
import type { Notice, NoticeSource } from './notice.ts'
import type { Operation } from './operation.ts'
import type { ReadModel } from './read-model.ts'
import type { Upcasts } from './upcast.ts'

/** A part of the business: its name and what can be asked of it. */
export interface Domain {
  readonly name: string
  readonly operations: readonly Operation[]
  /** What it refuses and finds, in every language. */
  readonly messages?: readonly Catalogue[]
  /** The types of its events, by category of the streams that hold them. */
  readonly events: Readonly<Record<string, readonly string[]>>
  readonly readModels?: readonly ReadModel[]
  /** How its events of earlier versions read today. */
  readonly upcasts?: Upcasts
  /** Types of its events that end what their stream tells of people: once one is recorded, the key is thrown away. */
  readonly erasures?: readonly string[]
  /** What of it the outside can be told. */
  readonly notices?: readonly Notice[]
  /** What turns its events into notices. */
  readonly noticeSources?: readonly NoticeSource[]
}
